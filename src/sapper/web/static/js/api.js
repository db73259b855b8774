// Talks to the server. Every answer is data; what went wrong is an Error with the server's words.

export class Refused extends Error {
  constructor(status, facts) {
    super(facts.error ?? `the server answered ${status}`);
    this.status = status;
    this.facts = facts;
  }
}

const SILENT = { error: "the server does not answer" };

// Waits for what the server sends; that it does not is said in our words.
async function heard(sent) {
  try {
    return await sent;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, SILENT);
  }
}

async function send(path, body, { signal, accept = "application/json" }) {
  const options = body === undefined
    ? { signal }
    : { method: "POST", headers: { "Content-Type": "application/json", Accept: accept }, body: JSON.stringify(body), signal };
  const response = await heard(fetch(path, options));
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})));
  return response;
}

export async function ask(path, body, { signal } = {}) {
  const response = await send(path, body, { signal });
  return response.json().catch(() => ({}));
}

// Asks for what takes a while: `progress` is told how much is done, and of how much.
export async function follow(path, body, progress, { signal } = {}) {
  const response = await send(path, body, { signal, accept: "application/x-ndjson" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { value, done } = await heard(reader.read());
    if (done) throw new Refused(0, SILENT);
    const lines = (text + value).split("\n");
    text = lines.pop();
    for (const facts of lines.map(line => JSON.parse(line))) {
      if (facts.found) return facts.found;
      if (facts.error) throw new Refused(facts.status, facts);
      progress(facts.done, facts.of);
    }
  }
}

// Calls of one kind: a newer one stops the one before, whose answer never comes.
export function newest(call) {
  let controller = null;
  return async (...given) => {
    controller?.abort();
    const own = controller = new AbortController();
    try {
      const answer = await call(...given, { signal: own.signal });
      return own === controller ? answer : undefined;
    } catch (error) {
      if (error.name === "AbortError" || own !== controller) return undefined;
      throw error;
    }
  };
}
