// Requests to the server. If it wants a token, the reader is asked for it once.

const KEY = "crossbranch-token";
const DELAYS = [400, 1200]; // milliseconds, if the server is busy
let askForToken = async () => "";

export class ApiError extends Error {
  constructor(status, { code = "", message = "", details = {} } = {}) {
    super(message || `The server answered with the status ${status}.`);
    Object.assign(this, { status, code, details });
  }
}

/** Say how the reader is asked for a token: a function that promises the token, or "". */
export function onTokenNeeded(ask) {
  askForToken = ask;
}

/** Send a request (POST if there is a body), and return the JSON of the answer. */
export async function call(path, body = undefined, signal = undefined) {
  let isSecondTry = false;
  for (let turn = 0; ; turn++) {
    const response = await send(path, body, signal);
    if (response.status === 401) {
      const token = await askForToken(isSecondTry);
      if (!token) throw new ApiError(401, { message: "This server wants a token." });
      sessionStorage.setItem(KEY, token);
      isSecondTry = true;
      continue;
    }
    if ((response.status === 429 || response.status === 503) && turn < DELAYS.length) {
      await new Promise((done) => setTimeout(done, DELAYS[turn]));
      signal?.throwIfAborted();
      continue;
    }
    const answer = await bodyOf(response);
    if (!response.ok) throw new ApiError(response.status, answer?.error);
    if (answer === null) throw new ApiError(response.status, { message: "The answer of the server is not JSON." });
    return answer;
  }
}

/** The JSON of an answer; null if it is none. */
async function bodyOf(response) {
  try {
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error; // nobody wants it any more
    return null;
  }
}

async function send(path, body, signal) {
  const headers = { accept: "application/json" };
  const token = sessionStorage.getItem(KEY);
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  try {
    return await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { message: "The server cannot be reached. Is it still running?" });
  }
}

/** Return a function that runs one task at a time: a new task ends the one before it.
 *
 * It promises the value of a task, or undefined if another task came later. So older answers
 * never replace newer ones.
 */
export function newest() {
  let latest = null;
  return async (task) => {
    latest?.abort();
    const mine = (latest = new AbortController());
    try {
      const value = await task(mine.signal);
      return mine === latest ? value : undefined;
    } catch (error) {
      if (mine !== latest) return undefined;
      throw error;
    }
  };
}
