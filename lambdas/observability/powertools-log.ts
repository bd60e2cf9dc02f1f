// Log lines on AWS: JSON, one a step, from the catalogue.
import { Logger } from '@aws-lambda-powertools/logger';
import type { Log } from '../ports/system.ts';
import { LOG_CATALOGUE } from './log-catalogue.ts';

export function powertoolsLog(): Log {
  const logger = new Logger({ serviceName: 'countersign' });
  return {
    write: (code, facts = {}) => {
      const { level, message } = LOG_CATALOGUE[code];
      logger[level](message, { log_code: code, ...facts });
    },
  };
}
