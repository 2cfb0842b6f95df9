// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.dump;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.journal.format.Frame;
import io.keptlog.storage.journal.format.JournalLoader;
import io.keptlog.storage.journal.format.ScannedFile;
import io.keptlog.storage.journal.record.OffsetRecord;
import io.keptlog.storage.record.JournalJson;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Dumps one file of a journal: its frames and what they say. Secrets, though only hashes, are left out. Used once. */
final class JournalDump {
    private static final String HIDDEN = "(left out)";

    private final DumpRange range;
    private final DumpSink sink;
    private final ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    private long shown;

    JournalDump(DumpRange range, DumpSink sink) {
        this.range = range;
        this.sink = sink;
    }

    void run(FileLayer files, Path file) {
        ScannedFile scanned = JournalLoader.read(files, file);
        sink.line(Line.of("journal")
                .with("generation", scanned.generation())
                .with("verdict", scanned.verdict().name().toLowerCase(Locale.ROOT))
                .with("frames", scanned.frames().size())
                .with("beyond_damage", scanned.beyond().size())
                .with("persisted_frames", scanned.evidence())
                .with("end_position", scanned.endPosition())
                .withUnlessNull("detail", scanned.detail().isEmpty() ? null : scanned.detail())
                .values());
        scanned.frames().forEach(this::frame);
        scanned.beyond().forEach(this::frame);
    }

    private void frame(Frame frame) {
        Object content =
                switch (frame.kind()) {
                    case SNAPSHOT -> part(frame.payload());
                    case SNAPSHOT_END -> whole();
                    case RECORD -> content(frame.payload());
                };
        if (frame.index() < range.from() || shown >= range.count()) {
            return;
        }
        shown++;
        sink.line(Line.of("record")
                .with("index", frame.index())
                .with("kind", frame.kind().name().toLowerCase(Locale.ROOT))
                .with("stable", frame.stable())
                .with("bytes", frame.payload().length)
                .withUnlessNull("content", content)
                .values());
    }

    /** Parts of a snapshot may be anything between two bytes; only some are whole by themselves. */
    private @Nullable Object part(byte[] payload) {
        snapshot.writeBytes(payload);
        return null;
    }

    private @Nullable Object whole() {
        return snapshot.size() == 0 ? null : content(snapshot.toByteArray());
    }

    private static @Nullable Object content(byte[] payload) {
        try {
            return payload.length > 0 && payload[0] == '{'
                    ? withoutSecrets(JournalJson.read(payload, Map.class))
                    : offsets(payload);
        } catch (JacksonException | IllegalArgumentException e) {
            return null;
        }
    }

    private static List<Object> offsets(byte[] payload) {
        return OffsetRecord.decode(payload).stream().map(JournalDump::offset).toList();
    }

    private static Object offset(OffsetRecord record) {
        return Line.of(record.type().name().toLowerCase(Locale.ROOT))
                .with("partition", record.life().ref().toString())
                .hex("incarnation", record.life().incarnation())
                .with("consumer_kind", record.consumer().kind().name().toLowerCase(Locale.ROOT))
                .with("consumer_id", Integer.toUnsignedLong(record.consumer().id()))
                .with("offset", record.offset())
                .values();
    }

    private static Object withoutSecrets(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, Object> clean = new LinkedHashMap<>();
                map.forEach((name, member) -> {
                    String key = String.valueOf(name);
                    if (member != null) {
                        clean.put(key, isSecret(key) ? HIDDEN : withoutSecrets(member));
                    }
                });
                yield clean;
            }
            case List<?> list -> list.stream().map(JournalDump::withoutSecrets).toList();
            default -> value;
        };
    }

    private static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.contains("hash")
                || lower.contains("digest")
                || lower.contains("sha256")
                || lower.contains("secret");
    }
}
