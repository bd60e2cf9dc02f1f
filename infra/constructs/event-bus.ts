// The bus that subscribers take events from. It believes one publisher: an event here is an event of the log.
import { EventBus as Bus } from 'aws-cdk-lib/aws-events';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/** `Source` of every published event, as `docs/events.md` promises it. */
const SOURCE = 'countersign';

export class EventBus extends Construct {
  readonly bus: Bus;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bus = new Bus(this, 'Bus', { description: 'Events of Countersign operations' });
  }

  letPublish(relay: LambdaFunction): void {
    relay.addToRolePolicy(new PolicyStatement({ actions: ['events:PutEvents'], resources: [this.bus.eventBusArn], conditions: { StringEquals: { 'events:source': SOURCE } } }));
    relay.addEnvironment('EVENT_BUS_NAME', this.bus.eventBusName);
    this.#refuseOthers(relay);
  }

  /** Other roles of the account may hold `events:PutEvents` on every bus: without this they could forge an approval. */
  #refuseOthers(relay: LambdaFunction): void {
    const statement = new PolicyStatement({
      sid: 'OnlyTheRelayPublishes',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['events:PutEvents'],
      resources: [this.bus.eventBusArn],
      conditions: { ArnNotEquals: { 'aws:PrincipalArn': relay.role?.roleArn } },
    });
    this.bus.addToResourcePolicy(statement);
  }
}
