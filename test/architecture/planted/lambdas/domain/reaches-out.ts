import '../adapters/aws/client.ts';
