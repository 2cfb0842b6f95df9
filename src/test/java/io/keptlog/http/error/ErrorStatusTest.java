// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each code of the contract with its number and its status. */
class ErrorStatusTest {
    /** status: id code, as the contract lists them. */
    private static final String CONTRACT =
            """
            400: 2 invalid_configuration, 3 invalid_command, 4 invalid_format, 6 invalid_identifier, 42 invalid_credentials
            400: 43 invalid_username, 44 invalid_password, 46 user_already_exists, 47 user_inactive, 48 cannot_delete_user
            400: 49 cannot_change_permissions, 50 invalid_personal_access_token_name, 51 personal_access_token_already_exists
            400: 52 personal_access_tokens_limit_reached, 56 invalid_personal_access_token_expiry
            400: 1012 stream_name_already_exists, 1013 invalid_stream_name, 1019 invalid_topic_size
            400: 2013 topic_name_already_exists, 2014 invalid_topic_name, 2015 too_many_partitions, 2019 invalid_partitions_count
            400: 4009 invalid_messages_count, 4017 too_big_user_headers, 4018 invalid_header_key, 4019 invalid_header_value
            400: 4022 too_big_message_payload, 4023 too_many_messages, 4024 empty_message_payload
            400: 4025 invalid_message_payload_length, 4028 invalid_key_value_length, 4041 unsupported_option_key
            400: 4042 invalid_option_value, 4043 options_block_too_big, 4100 invalid_offset
            400: 5004 consumer_group_name_already_exists, 5005 invalid_consumer_group_name, 400 bad_request
            401: 40 unauthenticated, 77 access_token_missing, 53 invalid_personal_access_token
            403: 41 unauthorized
            404: 20 resource_not_found, 100 client_not_found, 1009 stream_id_not_found, 2010 topic_id_not_found
            404: 3007 partition_not_found, 3021 consumer_offset_not_found, 4000 segment_not_found, 404 not_found
            404: 5000 consumer_group_id_not_found, 5003 consumer_group_name_not_found
            405: 405 method_not_allowed
            406: 406 not_acceptable
            408: 408 request_timeout
            409: 409 sequence_gap, 409 producer_fenced
            412: 412 precondition_failed
            413: 413 payload_too_large
            414: 414 uri_too_long
            415: 415 unsupported_media_type
            429: 429 too_many_in_flight_writes, 429 too_many_login_attempts, 429 too_many_live_readers
            431: 431 headers_too_large
            500: 500 internal_error, 500 sync_failed, 500 partition_damaged
            503: 57 transient_not_committed, 58 transient_not_accepted, 503 server_busy, 503 not_primary, 503 partition_fenced
            503: 503 catalog_fenced, 503 offsets_fenced, 503 shutting_down, 503 quorum_unavailable
            504: 504 produce_timeout, 504 offset_write_timeout, 504 partition_read_timeout
            507: 507 no_space
            """;

    @Test
    void everyCodeHasTheNumberAndTheStatusOfTheContract() {
        var expected = new TreeMap<Integer, TreeSet<String>>();
        CONTRACT.lines().forEach(line -> {
            String[] parts = line.split(": ");
            expected.computeIfAbsent(Integer.parseInt(parts[0]), s -> new TreeSet<>())
                    .addAll(Arrays.asList(parts[1].split(", ")));
        });
        var actual = new TreeMap<Integer, TreeSet<String>>();
        for (ErrorCode code : ErrorCode.values()) {
            actual.computeIfAbsent(ErrorStatus.of(code), s -> new TreeSet<>()).add(code.id() + " " + code.code());
        }
        assertThat(actual).isEqualTo(expected);
    }
}
