// The DynamoDB client as every adapter takes it. Nothing may drop or bend a value on the way in.
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export function documentClient(config: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(config), { marshallOptions: { convertEmptyValues: false, removeUndefinedValues: false } });
}
