// What a person has to hear about: events that are late, deliveries that were given up, functions that keep failing,
// executions that ended badly. `docs/runbook.md` says what to do for each.
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Stats, TreatMissingData, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import type { Functions } from './functions.ts';

export interface AlarmsProps {
  readonly functions: Functions;
  readonly undelivered: Queue;
  readonly machine: StateMachine;
}

interface Condition {
  readonly says: string;
  readonly metric: IMetric;
  readonly above: number;
  readonly minutes: number;
}

const MINUTE = { period: Duration.minutes(1) } as const;

export class Alarms extends Construct {
  readonly #action: SnsAction | undefined;

  constructor(scope: Construct, id: string, configuration: Configuration, { functions, undelivered, machine }: AlarmsProps) {
    super(scope, id);
    const { alarm_topic_arn } = configuration;
    this.#action = alarm_topic_arn === undefined ? undefined : new SnsAction(Topic.fromTopicArn(this, 'Topic', alarm_topic_arn));
    const relay = functions['relay-events'];
    const age = relay.metric('IteratorAge', { ...MINUTE, statistic: Stats.MAXIMUM });
    this.#watch('RelayLate', { says: 'Stored events reach the bus more than a minute late', metric: age, above: 60_000, minutes: 3 });
    this.#watch('Undelivered', { says: 'Deliveries were given up', metric: undelivered.metricApproximateNumberOfMessagesVisible(MINUTE), above: 0, minutes: 1 });
    this.#watch('RelayErrors', { says: 'The relay keeps failing', metric: relay.metricErrors(MINUTE), above: 0, minutes: 3 });
    this.#watch('SettleErrors', { says: 'Settling keeps failing', metric: functions['settle-operation'].metricErrors(MINUTE), above: 0, minutes: 3 });
    this.#watch('ExecutionsFailed', { says: 'An execution could not settle', metric: machine.metricFailed(MINUTE), above: 0, minutes: 1 });
    this.#watch('ExecutionsStopped', { says: 'An execution was stopped from outside', metric: machine.metricAborted(MINUTE), above: 0, minutes: 1 });
  }

  #watch(id: string, { says, metric, above, minutes }: Condition): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: `Countersign: ${says}`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: minutes,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (this.#action !== undefined) alarm.addAlarmAction(this.#action);
  }
}
