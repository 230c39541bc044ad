-- name: code_contents
-- What is known of files: the terms of each, and what it imports.
select digest, language, version, refusal, content, imports, used_on < current_date
from backstory.code_files
where digest = any(%s);

-- name: code_definitions
-- The definitions of files, and the terms of their chunks.
select digest, language, version, lines, definitions, chunks
from backstory.code_files
where digest = any(%s);

-- name: code_commits
-- What is known of commits.
select commit_id, message, files, used_on < current_date
from backstory.code_commits
where commit_id = any(%s) and version = %s;

-- name: save_code_files
-- Keeps the terms and definitions of files.
select backstory.save_code_files(%s, %s, %s, %s, %s, %s, %s, %s, %s);

-- name: save_code_commits
-- Keeps the terms and files of commits.
select backstory.save_code_commits(%s, %s, %s, %s);

-- name: use_code
-- Marks files and commits as used today.
select backstory.use_code(%s, %s);
