/** The working state at a version: goals, decisions, questions, actions, constraints, tasks, and what is remembered. */
import type { ReactNode } from "react";
import { setParams } from "../address/address";
import { Link } from "../address/Link";
import { withParams } from "../address/address";
import { API, asCurl, ofSession } from "../api/client";
import { useMemories } from "../api/memory";
import type { ShownSessionDocument, StateDocument } from "../api/schema";
import { Copy } from "../parts/Copy";
import { count, percent } from "../parts/format";
import { Icon, type IconName } from "../parts/Icon";
import { Empty } from "../parts/States";
import "./StatePane.css";

interface Props {
  session: ShownSessionDocument;
  state: StateDocument;
  stale?: boolean;
}

/** The number of things that are open or in force. */
export function openThings(state: StateDocument): number {
  return state.goals.length + state.decision_count + state.questions.length + state.actions.length + state.constraints.length + state.tasks.length;
}

export function StatePane({ session, state, stale }: Props) {
  const memories = useMemories(state.project?.name ?? null, {}, 5);
  const remembered = memories.data?.pages[0]?.memories ?? [];
  const { version } = state;
  return (
    <aside className="pane state-pane" aria-label="State" data-stale={stale || undefined}>
      <header className="row">
        <h2>State</h2>
        <span className="text-3 at">at version {count(version)}</span>
        <span className="grow" />
        <Copy
          choices={[
            { name: "Markdown", text: () => asMarkdown(state) },
            { name: "JSON", text: () => JSON.stringify(state, null, 2) },
            { name: "curl", text: () => asCurl(ofSession(state.session, "/state"), { at: version }) },
          ]}
        />
      </header>
      <div className="scroll groups">
        {openThings(state) + state.candidates.length + remembered.length === 0 && (
          <Empty title="No goals or decisions yet" command='backstory command last "/log_decision …"'>
            What is set, decided and asked will show here.
          </Empty>
        )}
        <Group name="Goals" total={state.goals.length}>
          {state.goals.map((goal) => (
            <Row key={goal.item} icon="goal" item={goal.item} text={goal.text} note={goal.status === "active" ? priority(goal.priority) : goal.status} changed={goal.item === version} />
          ))}
        </Group>
        <Group name="Decisions" total={state.decision_count}>
          {[...state.decisions].reverse().map((decision) => (
            <Row key={decision.item} icon="decision" item={decision.item} text={decision.text} note={decision.rationale ?? decision.decided_by} changed={decision.item === version} />
          ))}
          {state.decision_count > state.decisions.length && (
            <li className="more">
              <Link className="link" to={withParams("/decisions", { session: session.session })}>
                All {count(state.decision_count)} decisions
              </Link>
            </li>
          )}
        </Group>
        <Group name="Noticed" total={state.candidates.length} hint="Said in a message, and neither confirmed nor dismissed.">
          {state.candidates.map((candidate) => (
            <Row key={candidate.candidate} icon="question" item={candidate.noticed_in} text={candidate.text} note={candidate.rationale} changed={candidate.candidate === version} />
          ))}
        </Group>
        <Group name="Questions" total={state.questions.length}>
          {state.questions.map((question) => (
            <Row key={question.item} icon="question" item={question.item} text={question.text} note={question.asked_by && `asked by ${question.asked_by}`} changed={question.item === version} />
          ))}
        </Group>
        <Group name="Actions" total={state.actions.length}>
          {state.actions.map((action) => (
            <Row key={action.item} icon="action" item={action.item} text={action.text} note={action.assignee} changed={action.item === version} />
          ))}
        </Group>
        <Group name="Constraints" total={state.constraints.length}>
          {state.constraints.map((constraint) => (
            <Row key={constraint.item} icon="lock" item={constraint.item} text={constraint.text} changed={constraint.item === version} />
          ))}
        </Group>
        <Group name="Tasks" total={state.tasks.length}>
          {state.tasks.map((task) => (
            <Row key={task.task} icon={task.task === state.current_task ? "open" : "box"} text={task.text ?? task.task} note={task.task === state.current_task ? "current" : null} />
          ))}
        </Group>
        <Group name="Progress" total={0} always={state.phase !== null || state.clarity !== null}>
          {state.phase !== null && <Row icon="clock" text={`Phase: ${state.phase}`} />}
          {state.clarity !== null && <Row icon="check" text={`Clarity: ${percent(state.clarity / 100)}`} />}
        </Group>
        <Group name="Memory" total={remembered.length} hint={`Of the project ${state.project?.name ?? ""}, as it is now.`}>
          {remembered.map((memory) => (
            <Row key={memory.id} icon="memory" text={memory.title ?? memory.text} note={memory.kind} />
          ))}
          <li className="more">
            <Link className="link" to={withParams("/memory", { project: state.project?.name })}>
              All memories of {state.project?.name}
            </Link>
          </li>
        </Group>
      </div>
    </aside>
  );
}

interface GroupProps {
  name: string;
  total: number;
  always?: boolean;
  hint?: string;
  children: ReactNode;
}

function Group({ name, total, always, hint, children }: GroupProps) {
  if (!total && !always) return null;
  return (
    <section>
      <h3 className="section-head" title={hint}>
        {name} {total > 0 && <i>{count(total)}</i>}
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

interface RowProps {
  icon: IconName;
  item?: number;
  text: string | null;
  note?: string | null;
  changed?: boolean;
}

function Row({ icon, item, text, note, changed }: RowProps) {
  return (
    <li className={changed ? "changed" : undefined}>
      <Icon name={icon} small />
      <span>
        {text ?? <i>erased</i>}
        {note && <small>{note}</small>}
      </span>
      {item !== undefined && (
        <button className="version" title={`Show version ${item} in the conversation`} onClick={() => setParams({ item })}>
          v{item}
        </button>
      )}
    </li>
  );
}

const priority = (value: string): string | null => (value === "P1" || value === "medium" ? null : value);

function asMarkdown(state: StateDocument): string {
  const group = (name: string, lines: (string | null)[]) => (lines.length ? `## ${name}\n\n${lines.map((line) => `- ${line ?? "(erased)"}`).join("\n")}\n\n` : "");
  return (
    `# ${state.title ?? state.session}, version ${state.version}\n\n` +
    group("Goals", state.goals.map((goal) => goal.text)) +
    group("Decisions", state.decisions.map((decision) => `${decision.text}${decision.rationale ? `, because ${decision.rationale}` : ""}`)) +
    group("Questions", state.questions.map((question) => question.text)) +
    group("Actions", state.actions.map((action) => action.text)) +
    group("Constraints", state.constraints.map((constraint) => constraint.text)) +
    group("Tasks", state.tasks.map((task) => task.text ?? task.task)) +
    `${location.origin}${API}/sessions/${state.session}/state?at=${state.version}\n`
  );
}
