// Sends a file to the server.
import type { Connection } from "./connection.ts";

// Resolves to the answer, or rejects with a sentence.
export async function send_file<Reply>(connection: Connection, path: "/open" | "/motion", file: File): Promise<Reply> {
  const answer = await fetch(connection.address(path, { name: file.name }), { method: "POST", body: file }).catch(() => {
    throw new Error("The file did not arrive: the studio's program is not there at the moment.");
  });
  const text = await answer.text();
  let reply: { error?: string } = answer.ok ? {} : { error: text };
  try {
    reply = JSON.parse(text) as { error?: string };
  } catch {
    // the message is a plain sentence
  }
  if (reply.error) throw new Error(reply.error);
  return reply as Reply;
}
