// Requests to the server. Replies are JSON; failures are `Refused` errors with the server's message.

export class Refused extends Error {
  constructor(status, facts) {
    super(facts.error ?? `the server returned status ${status}`);
    this.status = status;
    this.facts = facts;
  }
}

const NO_RESPONSE = { error: "the server does not respond" };

// Awaits a response; a network failure becomes a `Refused` error.
async function received(response) {
  try {
    return await response;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, NO_RESPONSE);
  }
}

async function send(path, body, { signal, accept = "application/json" }) {
  const options = body === undefined
    ? { signal }
    : { method: "POST", headers: { "Content-Type": "application/json", Accept: accept }, body: JSON.stringify(body), signal };
  const response = await received(fetch(path, options));
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})));
  return response;
}

export async function ask(path, body, { signal } = {}) {
  const response = await send(path, body, { signal });
  return response.json().catch(() => ({}));
}

// Runs a long request; calls `progress(done, total)` as it advances.
export async function follow(path, body, progress, { signal } = {}) {
  const response = await send(path, body, { signal, accept: "application/x-ndjson" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { value, done } = await received(reader.read());
    if (done) throw new Refused(0, NO_RESPONSE);
    const lines = (text + value).split("\n");
    text = lines.pop();
    for (const facts of lines.map(line => JSON.parse(line))) {
      if (facts.found) return facts.found;
      if (facts.error) throw new Refused(facts.status, facts);
      progress(facts.done, facts.of);
    }
  }
}

// Wraps a call so that a newer call aborts the previous one, which then returns undefined.
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
