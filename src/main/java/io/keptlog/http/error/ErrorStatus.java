// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.error;

import io.keptlog.domain.ErrorCode;

/** The one place that gives each error code its HTTP status (http-api §5). */
public final class ErrorStatus {
    private ErrorStatus() {}

    public static int of(ErrorCode code) {
        return switch (code) {
            case INVALID_CONFIGURATION,
                    INVALID_COMMAND,
                    INVALID_FORMAT,
                    INVALID_IDENTIFIER,
                    INVALID_CREDENTIALS,
                    INVALID_USERNAME,
                    INVALID_PASSWORD,
                    USER_ALREADY_EXISTS,
                    USER_INACTIVE,
                    CANNOT_DELETE_USER,
                    CANNOT_CHANGE_PERMISSIONS,
                    INVALID_PERSONAL_ACCESS_TOKEN_NAME,
                    PERSONAL_ACCESS_TOKEN_ALREADY_EXISTS,
                    PERSONAL_ACCESS_TOKENS_LIMIT_REACHED,
                    INVALID_PERSONAL_ACCESS_TOKEN_EXPIRY,
                    STREAM_NAME_ALREADY_EXISTS,
                    INVALID_STREAM_NAME,
                    INVALID_TOPIC_SIZE,
                    TOPIC_NAME_ALREADY_EXISTS,
                    INVALID_TOPIC_NAME,
                    TOO_MANY_PARTITIONS,
                    INVALID_PARTITIONS_COUNT,
                    INVALID_MESSAGES_COUNT,
                    TOO_BIG_USER_HEADERS,
                    INVALID_HEADER_KEY,
                    INVALID_HEADER_VALUE,
                    TOO_BIG_MESSAGE_PAYLOAD,
                    TOO_MANY_MESSAGES,
                    EMPTY_MESSAGE_PAYLOAD,
                    INVALID_MESSAGE_PAYLOAD_LENGTH,
                    INVALID_KEY_VALUE_LENGTH,
                    UNSUPPORTED_OPTION_KEY,
                    INVALID_OPTION_VALUE,
                    OPTIONS_BLOCK_TOO_BIG,
                    INVALID_OFFSET,
                    CONSUMER_GROUP_NAME_ALREADY_EXISTS,
                    INVALID_CONSUMER_GROUP_NAME,
                    BAD_REQUEST -> 400;
            case UNAUTHENTICATED, ACCESS_TOKEN_MISSING, INVALID_PERSONAL_ACCESS_TOKEN -> 401;
            case UNAUTHORIZED -> 403;
            case USER_NOT_FOUND,
                    CLIENT_NOT_FOUND,
                    STREAM_ID_NOT_FOUND,
                    TOPIC_ID_NOT_FOUND,
                    PARTITION_NOT_FOUND,
                    CONSUMER_OFFSET_NOT_FOUND,
                    SEGMENT_NOT_FOUND,
                    CONSUMER_GROUP_ID_NOT_FOUND,
                    CONSUMER_GROUP_NAME_NOT_FOUND,
                    NOT_FOUND -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case NOT_ACCEPTABLE -> 406;
            case REQUEST_TIMEOUT -> 408;
            case SEQUENCE_GAP, PRODUCER_FENCED -> 409;
            case PRECONDITION_FAILED -> 412;
            case PAYLOAD_TOO_LARGE -> 413;
            case URI_TOO_LONG -> 414;
            case UNSUPPORTED_MEDIA_TYPE -> 415;
            case TOO_MANY_IN_FLIGHT_WRITES, TOO_MANY_LOGIN_ATTEMPTS, TOO_MANY_LIVE_READERS -> 429;
            case HEADERS_TOO_LARGE -> 431;
            case INTERNAL_ERROR, SYNC_FAILED, PARTITION_DAMAGED -> 500;
            case TRANSIENT_NOT_COMMITTED,
                    TRANSIENT_NOT_ACCEPTED,
                    SERVER_BUSY,
                    NOT_PRIMARY,
                    PARTITION_FENCED,
                    CATALOG_FENCED,
                    OFFSETS_FENCED,
                    SHUTTING_DOWN,
                    QUORUM_UNAVAILABLE -> 503;
            case PRODUCE_TIMEOUT, OFFSET_WRITE_TIMEOUT, PARTITION_READ_TIMEOUT -> 504;
            case NO_SPACE -> 507;
        };
    }
}
