// SPDX-License-Identifier: Apache-2.0
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ConsumerOffsetsApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.StreamsApi;
import org.openapitools.client.api.TopicsApi;
import org.openapitools.client.model.ConsumerId;
import org.openapitools.client.model.CreateTopic;
import org.openapitools.client.model.Message;
import org.openapitools.client.model.Partitioning;
import org.openapitools.client.model.SendMessages;
import org.openapitools.client.model.StoreOffset;
import org.openapitools.client.model.StreamRequest;

/** A round trip with the Java client that openapi-generator makes of openapi.yaml: ContractClient URL USERNAME PASSWORD. */
class ContractClient {
    public static void main(String[] args) throws ApiException {
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        String basic = Base64.getEncoder().encodeToString((args[1] + ":" + args[2]).getBytes());
        client.setRequestInterceptor(request -> request.header("Authorization", "Basic " + basic));
        StreamsApi streams = new StreamsApi(client);
        streams.createStream(new StreamRequest().name("generated-java"));
        new TopicsApi(client)
                .createTopic(
                        "generated-java",
                        new CreateTopic()
                                .name("events")
                                .partitionsCount(1L)
                                .compressionAlgorithm("none")
                                .messageExpiry(BigInteger.ZERO)
                                .maxTopicSize(BigInteger.ZERO)
                                .putOptionsItem("durability", "persisted"));
        byte[] payload = new byte[256];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) i;
        }
        MessagesApi messages = new MessagesApi(client);
        var receipt = messages.sendMessages(
                        "generated-java",
                        "events",
                        new SendMessages()
                                .partitioning(new Partitioning().kind("partition_id").value(new byte[4]))
                                .addMessagesItem(new Message().payload(payload)),
                        null, null, null, null, null, null, null, null)
                .getConfirmations()
                .get(0);
        check(receipt.getStoredIn().equals("stable_storage"), receipt);
        var polled = messages.pollMessages(
                "generated-java", "events", null, null, "first", null, 10L, null, null, null, null, null, null);
        check(polled.getCount() == 1 && Arrays.equals(polled.getMessages().get(0).getPayload(), payload), polled);
        check(polled.getMessages().get(0).getHeader().getId().bitLength() > 64, polled);
        ConsumerOffsetsApi offsets = new ConsumerOffsetsApi(client);
        offsets.storeConsumerOffset(
                "generated-java",
                "events",
                new StoreOffset()
                        .consumerId(new ConsumerId("billing"))
                        .partitionId(0L)
                        .offset(BigInteger.ZERO));
        var stored = offsets.getConsumerOffset("generated-java", "events", "billing", null, null);
        check(stored.getStoredOffset().signum() == 0, stored);
        try {
            streams.getStream("absent");
            throw new AssertionError("an absent stream was found");
        } catch (ApiException e) {
            check(e.getCode() == 404, e);
        }
        streams.deleteStream("generated-java");
        System.out.println("the generated Java client's round trip is whole");
    }

    private static void check(boolean holds, Object seen) {
        if (!holds) {
            throw new AssertionError(seen);
        }
    }
}
