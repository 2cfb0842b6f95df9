# SPDX-License-Identifier: Apache-2.0
"""A round trip with the client that openapi-generator makes of openapi.yaml: contract-client.py URL USERNAME PASSWORD"""
import base64
import sys

import keptlog_client as k

url, username, password = sys.argv[1:4]
with k.ApiClient(k.Configuration(host=url, username=username, password=password)) as api:
    streams, topics, messages, offsets = k.StreamsApi(api), k.TopicsApi(api), k.MessagesApi(api), k.ConsumerOffsetsApi(api)
    stream = streams.create_stream(k.StreamRequest(name="generated"))
    topic = topics.create_topic(
        "generated",
        k.CreateTopic(
            name="events",
            partitions_count=1,
            compression_algorithm="none",
            message_expiry=0,
            max_topic_size=0,
            options={"durability": "persisted"},
        ),
    )
    assert topic.options["durability"].value == "persisted", topic
    payload = bytes(range(256))
    sent = messages.send_messages(
        "generated",
        "events",
        k.SendMessages(
            partitioning=k.Partitioning(kind="partition_id", value="AAAAAA=="),
            messages=[k.Message(id=k.MessageId(2**64 - 1), payload=base64.b64encode(payload).decode())],
        ),
    )
    receipt = sent.confirmations[0]
    assert receipt.durability == "persisted" and receipt.stored_in == "stable_storage", receipt
    polled = messages.poll_messages("generated", "events", kind="first", count=10)
    got = polled.messages[0]
    assert polled.count == 1 and base64.b64decode(got.payload) == payload and got.header.id == 2**64 - 1, polled
    offsets.store_consumer_offset("generated", "events", k.StoreOffset(consumer_id=k.ConsumerId("billing"), partition_id=0, offset=0))
    assert offsets.get_consumer_offset("generated", "events", consumer_id="billing").stored_offset == 0
    try:
        streams.get_stream("absent")
        raise AssertionError("an absent stream was found")
    except k.ApiException as e:
        assert e.status == 404, e
    streams.delete_stream(str(stream.id))
print("the generated client's round trip is whole")
