// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.keptlog.domain.Compression;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.TopicOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicOptionsParserTest {
    private static TopicOptions create(Map<String, String> options) {
        return TopicOptionsParser.forCreation(new TopicSettings("none", 0L, 0L, options), 1);
    }

    private static void refused(Runnable action, ErrorCode code, String field) {
        assertThatThrownBy(action::run)
                .asInstanceOf(type(KeptlogException.class))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e.field()).isEqualTo(field);
                    assertThat(e.reason()).contains(field);
                });
    }

    @Test
    void bothDurabilitiesAreReplicatedUnlessNamedAndNeitherInherits() {
        TopicOptions none = create(Map.of());
        assertThat(none.durability()).isEqualTo(Durability.REPLICATED);
        assertThat(none.consumerOffsetDurability()).isEqualTo(Durability.REPLICATED);
        TopicOptions messages = create(Map.of("durability", "persisted"));
        assertThat(messages.durability()).isEqualTo(Durability.PERSISTED);
        assertThat(messages.consumerOffsetDurability()).isEqualTo(Durability.REPLICATED);
        TopicOptions offsets = create(Map.of("consumer_offset_durability", "persisted"));
        assertThat(offsets.durability()).isEqualTo(Durability.REPLICATED);
        assertThat(offsets.consumerOffsetDurability()).isEqualTo(Durability.PERSISTED);
    }

    @Test
    void aDefaultThatIsNamedIsExplicit() {
        assertThat(create(Map.of()).explicit()).containsExactly("compression_algorithm");
        assertThat(create(Map.of("durability", "replicated", "segment_size", "0"))
                        .explicit())
                .containsExactly("compression_algorithm", "durability", "segment_size");
    }

    @Test
    void allEffectiveOptionsAreReportedInTheOrderOfTheListing() {
        List<OptionValue> values = OptionValue.of(create(Map.of()));
        assertThat(values)
                .extracting(OptionValue::key)
                .containsExactlyElementsOf(new OptionsCatalog()
                        .list("topic").stream().map(OptionSpec::key).toList());
        assertThat(values)
                .extracting(OptionValue::value)
                .containsExactly(
                        "none",
                        "18446744073709551615",
                        "18446744073709551615",
                        "1073741824",
                        "replicated",
                        "replicated",
                        "1024",
                        "1048576",
                        "false");
    }

    @ParameterizedTest
    @CsvSource({
        "message_expiry, 7 days, 604800000000",
        "message_expiry, 1h 30min, 5400000000",
        "message_expiry, 1000, 1000",
        "message_expiry, 2M, 5259600000000",
        "message_expiry, 2m, 120000000",
        "message_expiry, 0, 18446744073709551615",
        "message_expiry, never, 18446744073709551615",
        "message_expiry, 18446744073709551615, 18446744073709551615",
        "max_topic_size, 10 GiB, 10737418240",
        "max_topic_size, 2000000000, 2000000000",
        "max_topic_size, unlimited, 18446744073709551615",
        "segment_size, 128 MiB, 134217728",
        "segment_size, 128MiB, 134217728",
        "segment_size, 1.5 MiB, 1572864",
        "segment_size, 0, 1073741824",
        "messages_required_to_save, 1, 1",
        "messages_required_to_save, 16777216, 16777216",
        "size_of_messages_required_to_save, 1 GiB, 1073741824",
        "size_of_messages_required_to_save, 0, 1048576",
        "preallocate_segments, true, true",
        "compression_algorithm, gzip, gzip"
    })
    void valuesBecomeCanonical(String key, String text, String canonical) {
        assertThat(OptionValue.of(create(Map.of(key, text)))).contains(new OptionValue(key, canonical, true));
    }

    @ParameterizedTest
    @CsvSource({
        "message_expiry, 7 dayz",
        "message_expiry, -1",
        "message_expiry, 18446744073709551616",
        "message_expiry, 1e3",
        "message_expiry, ''",
        "max_topic_size, many",
        "max_topic_size, 18446744073709551616",
        "segment_size, 1048575",
        "segment_size, 1048577",
        "segment_size, 524288",
        "segment_size, 1073742336",
        "segment_size, ' 1048576'",
        "segment_size, 0x100000",
        "durability, fsync",
        "durability, PERSISTED",
        "durability, ''",
        "consumer_offset_durability, none",
        "messages_required_to_save, 0",
        "messages_required_to_save, 16777217",
        "messages_required_to_save, 1 KiB",
        "size_of_messages_required_to_save, 1073741825",
        "preallocate_segments, yes",
        "preallocate_segments, TRUE",
        "compression_algorithm, lz4"
    })
    void valuesOutOfBoundsAreRefusedByName(String key, String text) {
        refused(() -> create(Map.of(key, text)), ErrorCode.INVALID_OPTION_VALUE, key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"enforce_fsync", "durabilty", "Durability", "replication_factor", "ensemble_size"})
    void unknownKeysAreRefusedByNameNeverSkipped(String key) {
        refused(() -> create(Map.of("durability", "persisted", key, "1")), ErrorCode.UNSUPPORTED_OPTION_KEY, key);
    }

    @Test
    void emptyAndOverlongKeysAreUnsupportedAndShownCut() {
        assertThatThrownBy(() -> create(Map.of("", "1")))
                .asInstanceOf(type(KeptlogException.class))
                .extracting(KeptlogException::code)
                .isEqualTo(ErrorCode.UNSUPPORTED_OPTION_KEY);
        refused(() -> create(Map.of("k".repeat(256), "1")), ErrorCode.UNSUPPORTED_OPTION_KEY, "k".repeat(64));
    }

    @Test
    void aBlockOfOptionsThatIsTooBigIsRefusedFirst() {
        Map<String, String> many = new HashMap<>();
        many.put("durability", "x".repeat(100_000));
        assertThatThrownBy(() -> create(many))
                .asInstanceOf(type(KeptlogException.class))
                .extracting(KeptlogException::code)
                .isEqualTo(ErrorCode.OPTIONS_BLOCK_TOO_BIG);
    }

    @Test
    void aFiniteTopicSizeBelowTheSegmentSizeIsRefused() {
        refused(
                () -> create(Map.of("max_topic_size", "1048576", "segment_size", "2 MiB")),
                ErrorCode.INVALID_TOPIC_SIZE,
                "max_topic_size");
        assertThat(create(Map.of("max_topic_size", "1 MiB", "segment_size", "1 MiB"))
                        .maxTopicSizeBytes())
                .isEqualTo(1 << 20);
    }

    @Test
    void preallocationIsBoundedOverAllPartitions() {
        var settings = new TopicSettings("none", 0L, 0L, Map.of("preallocate_segments", "true"));
        assertThat(TopicOptionsParser.forCreation(settings, 64).preallocateSegments())
                .isTrue();
        refused(
                () -> TopicOptionsParser.forCreation(settings, 65),
                ErrorCode.INVALID_OPTION_VALUE,
                "preallocate_segments");
    }

    @Test
    void anUpdateChangesWhatItNamesAndNothingElse() {
        TopicOptions before = create(Map.of("message_expiry", "7 days", "durability", "persisted"));
        TopicOptions after = TopicOptionsParser.forUpdate(
                before, new TopicSettings("gzip", null, null, Map.of("max_topic_size", "4 GiB")));
        assertThat(after.compression()).isEqualTo(Compression.GZIP);
        assertThat(after.maxTopicSizeBytes()).isEqualTo(4L << 30);
        assertThat(after.messageExpiryMicros()).isEqualTo(before.messageExpiryMicros());
        assertThat(after.durability()).isEqualTo(Durability.PERSISTED);
        assertThat(after.explicit())
                .containsExactly("compression_algorithm", "durability", "max_topic_size", "message_expiry");
    }

    @Test
    void zeroInAnUpdateIsTheServersDefaultAndNobodysChoice() {
        TopicOptions before = create(Map.of("message_expiry", "7 days"));
        TopicOptions after = TopicOptionsParser.forUpdate(before, new TopicSettings(null, 0L, null, Map.of()));
        assertThat(after.messageExpiryMicros()).isEqualTo(TopicOptions.NEVER);
        assertThat(after.explicit()).doesNotContain("message_expiry");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "segment_size",
                "durability",
                "consumer_offset_durability",
                "messages_required_to_save",
                "size_of_messages_required_to_save",
                "preallocate_segments"
            })
    void createOnlyOptionsAreRefusedInAnUpdateEvenWithTheSameValue(String key) {
        TopicOptions before = create(Map.of());
        String same = OptionValue.of(before).stream()
                .filter(o -> o.key().equals(key))
                .findFirst()
                .orElseThrow()
                .value();
        refused(
                () -> TopicOptionsParser.forUpdate(before, new TopicSettings(null, null, null, Map.of(key, same))),
                ErrorCode.UNSUPPORTED_OPTION_KEY,
                key);
    }

    @Test
    void defaultsAreListedAsLittleEndianBytes() {
        List<OptionSpec> specs = new OptionsCatalog().list("topic");
        assertThat(specs.get(6).key()).isEqualTo("messages_required_to_save");
        assertThat(specs.get(6).defaultValue()).containsExactly(0, 4, 0, 0);
        assertThat(specs.get(3).defaultValue()).containsExactly(0, 0, 0, 64, 0, 0, 0, 0);
        assertThat(new OptionsCatalog().list("user")).isEmpty();
        assertThatThrownBy(() -> new OptionsCatalog().list("planet"))
                .asInstanceOf(type(KeptlogException.class))
                .extracting(KeptlogException::code)
                .isEqualTo(ErrorCode.INVALID_COMMAND);
    }
}
