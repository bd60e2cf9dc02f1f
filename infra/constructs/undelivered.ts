// The queue of what could not be delivered: pointers into the stream, and status changes, never arguments or tokens.
// A message here means that the sweep has to find it, and that a person should know: an alarm watches the depth.
import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { removalPolicy } from './removal.ts';

export class Undelivered extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      // EventBridge cannot use the AWS managed key of SQS; SQS's own encryption serves every sender.
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: removalPolicy(configuration),
    });
    Validations.of(this.queue).acknowledge({ id: 'AwsSolutions-SQS3', reason: 'This queue is where failed deliveries end; nothing consumes it but a person.' });
  }
}
