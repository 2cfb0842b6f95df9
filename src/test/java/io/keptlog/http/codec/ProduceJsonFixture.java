// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.BufferPool;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bodies in, messages or a refusal out. */
abstract class ProduceJsonFixture {
    static final int BODY_MAX_BYTES = 4_000_000;
    static final String BALANCED = "\"partitioning\":{\"kind\":\"balanced\",\"value\":\"\"}";
    static final Instant NOW = Instant.parse("2026-11-30T12:00:00.123456789Z");

    final ProduceCodec codec = new ProduceCodec(BODY_MAX_BYTES, new BufferPool(), () -> NOW);

    ProduceBody read(byte[] body) {
        return codec.readJson(new ByteArrayInputStream(body), body.length);
    }

    List<StoredMessage> messages(String... messages) {
        try (ProduceBody body = read(batch(messages).getBytes(UTF_8))) {
            return StoredMessage.of(body.batch());
        }
    }

    static String batch(String... messages) {
        return "{" + BALANCED + ",\"messages\":[" + String.join(",", messages) + "]}";
    }

    StoredMessage message(String message) {
        return messages(message).getFirst();
    }

    void refused(byte[] body, ErrorCode code, @Nullable String field) {
        try (ProduceBody taken = read(body)) {
            throw new AssertionError("taken: " + taken.batch().count() + " of "
                    + new String(body, 0, Math.min(body.length, 300), ISO_8859_1));
        } catch (KeptlogException e) {
            assertThat(e.code()).as(e.reason()).isEqualTo(code);
            assertThat(e.field()).as(e.reason()).isEqualTo(field);
            if (field != null) {
                assertThat(e.reason()).contains(field);
            }
        }
    }

    void refused(String body, ErrorCode code, @Nullable String field) {
        refused(body.getBytes(UTF_8), code, field);
    }

    void messageRefused(String message, ErrorCode code, String member) {
        String good = "{\"payload\":\"YQ==\"}";
        refused(batch(good, good, message, good), code, "messages[2]" + member);
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
