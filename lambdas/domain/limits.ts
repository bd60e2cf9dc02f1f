// The numbers that bound what Countersign takes in, keeps and waits for. Each is said here once.

export const LIMITS = {
  /** HTTP bodies, bytes. A Lambda event may hold 6 MB; nothing of ours needs more than this. */
  body_bytes: 1024 * 1024,
  /** Canonical arguments, UTF-8 bytes: one vault item, below DynamoDB's 400 KB with room for its names. */
  arguments_bytes: 320 * 1024,
  /** What a tool returned, JSON text in UTF-8 bytes: one vault item as well. */
  result_bytes: 320 * 1024,
  /** A policy document as it is sent: its event is one entry on the bus, which takes 256 KB with everything around. */
  policy_bytes: 192 * 1024,
  decision_body_bytes: 16 * 1024,
  /** Votes in one request, and the bytes that they may take. */
  decisions: 50,
  decisions_body_bytes: 256 * 1024,
  comment_bytes: 2048,
  reason_bytes: 2048,
  name_length: 128,
  /** HTTP API gives up after 30 s; a long poll ends well before. */
  wait_seconds: 20,
  page_size: 50,
  /** A list over all workspaces asks each of them; beyond this many, one has to be named. */
  listed_workspaces: 100,
  /** One page of the full view, UTF-8 bytes of what is shown and a little for each row. */
  full_view_page_bytes: 32 * 1024,
  /** How often the exact arguments of one operation may be shown: each time is an event of its log. */
  reveals: 50,
  /** How often the time to decide may be extended. */
  extensions: 20,
  /** What a deployment may let one agent have pending in one workspace, at most: a look at the list is one page. */
  pending_per_agent: 1000,
  /** Where it does not say. */
  pending_per_agent_default: 100,
  /** Places of a full list that one proposal compares with the log. */
  places_checked: 25,
  /** After so many denials of one tool in a run nobody is asked about that tool there any more. */
  denied_variants: 3,
  /** A place without an operation is given up after this: no request of ours lives so long. */
  place_grace_seconds: 300,
  /** For how long somebody may name a stand-in: 90 days. */
  delegation_seconds: 90 * 24 * 3600,
  /** In how many people's place one inbox is listed. */
  stands_in_for: 20,
  /** Shorter, and a slow network ends it; longer, and it says little. */
  lease_seconds: { min: 5, max: 3600 },
  append_attempts: 5,
  /** The waiting state's timer rings this much after `expires_at`: the deadline itself is data. */
  timer_grace_seconds: 5,
  /** Re-entries of the state machine without a new event, after which the execution counts as lost. */
  fruitless_entries: 10,
  /** The vault keeps a row this long: the longest wait, grant and run there can be, and 30 days more. */
  vault_keep_seconds: (30 + 1 + 1 + 30) * 24 * 3600,
} as const;
