// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/**
 * Every error a client can see: Iggy's numeric id and its code in snake case. Codes that Iggy does not have carry the HTTP status as
 * their id. Which HTTP status a code gets is written in one place, {@code http.error.ErrorStatus}.
 */
public enum ErrorCode {
    // Iggy's ids
    INVALID_CONFIGURATION(2),
    INVALID_COMMAND(3),
    INVALID_FORMAT(4),
    INVALID_IDENTIFIER(6),
    /** A user that does not exist, named in a change. */
    USER_NOT_FOUND(20, "resource_not_found"),
    UNAUTHENTICATED(40),
    UNAUTHORIZED(41),
    INVALID_CREDENTIALS(42),
    INVALID_USERNAME(43),
    INVALID_PASSWORD(44),
    USER_ALREADY_EXISTS(46),
    USER_INACTIVE(47),
    CANNOT_DELETE_USER(48),
    CANNOT_CHANGE_PERMISSIONS(49),
    INVALID_PERSONAL_ACCESS_TOKEN_NAME(50),
    PERSONAL_ACCESS_TOKEN_ALREADY_EXISTS(51),
    PERSONAL_ACCESS_TOKENS_LIMIT_REACHED(52),
    INVALID_PERSONAL_ACCESS_TOKEN(53),
    INVALID_PERSONAL_ACCESS_TOKEN_EXPIRY(56),
    TRANSIENT_NOT_COMMITTED(57),
    TRANSIENT_NOT_ACCEPTED(58),
    ACCESS_TOKEN_MISSING(77),
    CLIENT_NOT_FOUND(100),
    STREAM_ID_NOT_FOUND(1009),
    STREAM_NAME_ALREADY_EXISTS(1012),
    INVALID_STREAM_NAME(1013),
    INVALID_TOPIC_SIZE(1019),
    TOPIC_ID_NOT_FOUND(2010),
    TOPIC_NAME_ALREADY_EXISTS(2013),
    INVALID_TOPIC_NAME(2014),
    TOO_MANY_PARTITIONS(2015),
    INVALID_PARTITIONS_COUNT(2019),
    PARTITION_NOT_FOUND(3007),
    CONSUMER_OFFSET_NOT_FOUND(3021),
    SEGMENT_NOT_FOUND(4000),
    INVALID_MESSAGES_COUNT(4009),
    TOO_BIG_USER_HEADERS(4017),
    INVALID_HEADER_KEY(4018),
    INVALID_HEADER_VALUE(4019),
    TOO_BIG_MESSAGE_PAYLOAD(4022),
    TOO_MANY_MESSAGES(4023),
    EMPTY_MESSAGE_PAYLOAD(4024),
    INVALID_MESSAGE_PAYLOAD_LENGTH(4025),
    INVALID_KEY_VALUE_LENGTH(4028),
    UNSUPPORTED_OPTION_KEY(4041),
    INVALID_OPTION_VALUE(4042),
    OPTIONS_BLOCK_TOO_BIG(4043),
    INVALID_OFFSET(4100),
    CONSUMER_GROUP_ID_NOT_FOUND(5000),
    CONSUMER_GROUP_NAME_NOT_FOUND(5003),
    CONSUMER_GROUP_NAME_ALREADY_EXISTS(5004),
    INVALID_CONSUMER_GROUP_NAME(5005),

    // HTTP's own
    BAD_REQUEST(400),
    NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    NOT_ACCEPTABLE(406),
    REQUEST_TIMEOUT(408),
    PRECONDITION_FAILED(412),
    PAYLOAD_TOO_LARGE(413),
    URI_TOO_LONG(414),
    UNSUPPORTED_MEDIA_TYPE(415),
    TOO_MANY_IN_FLIGHT_WRITES(429),
    TOO_MANY_LOGIN_ATTEMPTS(429),
    /** 429: one user's own limit of streams and waiting polls. */
    TOO_MANY_LIVE_READERS(429),
    HEADERS_TOO_LARGE(431),
    INTERNAL_ERROR(500),

    // Keptlog's own
    /** 409: the sequence leaves a gap; detail {@code expected_sequence}. */
    SEQUENCE_GAP(409),
    /** 409: a newer epoch of this producer has written. */
    PRODUCER_FENCED(409),
    /** 500: appended, but the sync failed: may be stored, may be lost. */
    SYNC_FAILED(500),
    /** 500: the log is damaged where this poll wants to read. */
    PARTITION_DAMAGED(500),
    SERVER_BUSY(503),
    NOT_PRIMARY(503),
    /** 503: refused before the append; not stored. */
    PARTITION_FENCED(503),
    /** 503: no control-plane change until the restart (the catalog journal is fenced or damaged). */
    CATALOG_FENCED(503),
    /** 503: no offset write until the restart (the offset journal is fenced). */
    OFFSETS_FENCED(503),
    SHUTTING_DOWN(503),
    /** 503: a bookie quorum is missing; the reason gives E and the number available. */
    QUORUM_UNAVAILABLE(503),
    /** 504: outcome unknown. */
    PRODUCE_TIMEOUT(504),
    /** 504: outcome unknown. */
    OFFSET_WRITE_TIMEOUT(504),
    PARTITION_READ_TIMEOUT(504),
    /** 507: the disk is full; not stored. */
    NO_SPACE(507);

    private final int id;
    private final String code;

    ErrorCode(int id) {
        this.id = id;
        this.code = name().toLowerCase(java.util.Locale.ROOT);
    }

    ErrorCode(int id, String code) {
        this.id = id;
        this.code = code;
    }

    public int id() {
        return id;
    }

    /** The stable name of the error in snake case. */
    public String code() {
        return code;
    }
}
