// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.Compression;
import io.keptlog.domain.Durability;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.GroupEntry;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.domain.catalog.Permissions;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.domain.catalog.TokenEntry;
import io.keptlog.domain.catalog.TopicOptions;
import io.keptlog.domain.catalog.UserEntry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogCodecTest {
    private static final TopicOptions OPTIONS = new TopicOptions(
            Compression.GZIP,
            TopicOptions.NEVER,
            Long.MIN_VALUE,
            1L << 30,
            Durability.PERSISTED,
            Durability.REPLICATED,
            17,
            1L << 20,
            true,
            Set.of("durability", "segment_size"));
    private static final Permissions SOME = new Permissions(
            Permissions.Global.NONE,
            Map.of(
                    3,
                    new Permissions.OfStream(
                            true,
                            false,
                            true,
                            false,
                            true,
                            false,
                            Map.of(4, new Permissions.OfTopic(true, false, true, false))),
                    5,
                    new Permissions.OfStream(false, true, false, true, false, true, null)));
    private static final TokenEntry TOKEN = new TokenEntry("ci", "ab12", 5, -1);
    private static final UserEntry USER = new UserEntry(
            1, 2, "ann \"é\u0000\uD83D\uDE00", "{pbkdf2}x", true, 3, "kept", SOME, new TreeMap<>(Map.of("ci", TOKEN)));

    static List<CatalogChange> changes() {
        var partitions = List.of(new PartitionEntry(0, 9, Long.MIN_VALUE), new PartitionEntry(1, 9, -1));
        return List.of(
                new CatalogChange.StreamCreated(0, 1L << 60, "s", Map.of("ensemble_size", "3")),
                new CatalogChange.StreamUpdated(0, "s2", Map.of()),
                new CatalogChange.TopicCreated(0, 0, 1, "t", OPTIONS, partitions),
                new CatalogChange.TopicUpdated(0, 0, "t2", OPTIONS),
                new CatalogChange.PartitionsAdded(0, 0, List.of(new PartitionEntry(2, 9, 5))),
                new CatalogChange.PartitionsRemoved(0, 0, 1),
                new CatalogChange.GroupCreated(0, 0, new GroupEntry(0, 7, "g")),
                new CatalogChange.TopicsPurged(0, Map.of(0, partitions)),
                new CatalogChange.UserCreated(new UserEntry(0, 2, "root", "h", true, 0, null, null, new TreeMap<>())),
                new CatalogChange.UserCreated(USER),
                new CatalogChange.UserUpdated(1, "bob", false),
                new CatalogChange.PasswordChanged(1, "{pbkdf2}y", null),
                new CatalogChange.PasswordChanged(1, "{pbkdf2}z", "jwt-2"),
                new CatalogChange.PermissionsChanged(1, null),
                new CatalogChange.PermissionsChanged(1, SOME),
                new CatalogChange.TokenCreated(1, new TokenEntry("t2", "cd", 1, 2)),
                new CatalogChange.TokenDeleted(1, "t2"),
                new CatalogChange.SessionRevoked("jwt", 99),
                new CatalogChange.RemovalsDone(List.of(new Removal(new PartitionRef(0, 0, 2), 5))),
                new CatalogChange.GroupDeleted(0, 0, 0),
                new CatalogChange.UserDeleted(1),
                new CatalogChange.TopicDeleted(0, 0),
                new CatalogChange.StreamDeleted(0));
    }

    static Stream<CatalogChange> eachChange() {
        return changes().stream();
    }

    @ParameterizedTest
    @MethodSource("eachChange")
    void aChangeComesBackAsItWas(CatalogChange change) {
        assertThat(CatalogCodec.decode(CatalogCodec.encode(change))).isEqualTo(change);
    }

    @Test
    void everyKindOfChangeIsTested() {
        Set<Class<?>> tested = changes().stream().map(Object::getClass).collect(Collectors.toSet());
        assertThat(tested).containsExactlyInAnyOrder(CatalogChange.class.getPermittedSubclasses());
    }

    @Test
    void aStateComesBackAsItWasAfterEachChange() {
        CatalogState state = CatalogState.EMPTY;
        for (CatalogChange change : changes()) {
            state = state.apply(change);
            CatalogState back = CatalogCodec.decodeState(CatalogCodec.encode(state));
            assertThat(back.nextStreamId()).isEqualTo(state.nextStreamId());
            assertThat(back.streams()).isEqualTo(state.streams());
            assertThat(back.nextUserId()).isEqualTo(state.nextUserId());
            assertThat(back.users()).isEqualTo(state.users());
            assertThat(List.copyOf(back.removals())).isEqualTo(List.copyOf(state.removals()));
            assertThat(back.revokedSessions()).isEqualTo(state.revokedSessions());
        }
    }

    @Test
    void whatWasNotWrittenByThisProgramIsRefused() {
        for (String json : List.of(
                "",
                "null",
                "{}",
                "[]",
                "{\"change\":\"stream_deleted\"}",
                "{\"change\":\"stream_deleted\",\"streamId\":null}",
                "{\"change\":\"stream_deleted\",\"streamId\":1,\"more\":2}",
                "{\"change\":\"stream_deleted\",\"streamId\":1}{}",
                "{\"change\":\"unheard_of\",\"streamId\":1}",
                "{\"streamId\":1}")) {
            assertThatThrownBy(() -> CatalogCodec.decode(json.getBytes(UTF_8)))
                    .as(json)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        byte[] cut = CatalogCodec.encode(CatalogState.EMPTY);
        assertThatThrownBy(() -> CatalogCodec.decodeState(Arrays.copyOf(cut, cut.length - 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
