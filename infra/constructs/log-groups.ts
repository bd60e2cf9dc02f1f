// One log group per writer, with the retention and the fate at stack deletion that the configuration names.
// Apart, because a group that AWS makes on first use would keep its lines for ever.
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { removalPolicy } from './removal.ts';

const RETENTION: Readonly<Record<Configuration['log_retention_days'], RetentionDays>> = {
  1: RetentionDays.ONE_DAY,
  7: RetentionDays.ONE_WEEK,
  30: RetentionDays.ONE_MONTH,
  90: RetentionDays.THREE_MONTHS,
  180: RetentionDays.SIX_MONTHS,
  365: RetentionDays.ONE_YEAR,
  731: RetentionDays.TWO_YEARS,
};

export function createLogGroup(scope: Construct, id: string, configuration: Configuration): LogGroup {
  return new LogGroup(scope, id, { retention: RETENTION[configuration.log_retention_days], removalPolicy: removalPolicy(configuration) });
}
