// Log lines of the local runtime: the same catalogue as on AWS, one JSON object a line, in a file.
import { createWriteStream } from 'node:fs';
import { LOG_CATALOGUE } from '../../lambdas/observability/log-catalogue.ts';
import type { Log } from '../../lambdas/ports/system.ts';

export interface FileLog extends Log {
  close(): Promise<void>;
}

export function fileLog(path: string): FileLog {
  const stream = createWriteStream(path, { flags: 'a' });
  return {
    write: (code, facts = {}) => {
      const { level, message } = LOG_CATALOGUE[code];
      stream.write(`${JSON.stringify({ time: new Date().toISOString(), level, log_code: code, message, ...facts })}\n`);
    },
    close: async () => {
      await new Promise<void>((resolve) => stream.end(() => resolve()));
    },
  };
}
