// Talks to the server. Every answer is data; what went wrong is an Error with the server's words.

export class Refused extends Error {
  constructor(status, facts) {
    super(facts.error ?? `the server answered ${status}`);
    this.status = status;
    this.facts = facts;
  }
}

export async function ask(path, body, { signal } = {}) {
  const options = body === undefined
    ? { signal }
    : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, { error: "the server does not answer" });
  }
  const facts = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, facts);
  return facts;
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
