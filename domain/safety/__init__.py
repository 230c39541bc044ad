"""What may stand in a prompt: quarantine, texts that read like instructions, secrets, our own injections."""
