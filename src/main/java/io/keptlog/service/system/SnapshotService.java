// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers what somebody needs who looks for a fault, as one zip: settings without secrets, log, threads, recovery reports, disk layout.
 * A part that cannot be made is replaced by a line that says why, so that the others still come. Keeps no state; one part at a time is
 * in memory. No message and no secret is in it: each part's maker sees to that.
 */
public final class SnapshotService {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotService.class);

    private final List<Part> parts;

    /** What can be asked for (Iggy's snapshot types). */
    public enum Content {
        FILESYSTEM_OVERVIEW,
        PROCESS_LIST,
        RESOURCE_USAGE,
        TEST,
        SERVER_LOGS,
        SERVER_CONFIG
    }

    /** Writes one file's text. */
    @FunctionalInterface
    public interface Text {
        void write(Writer out) throws IOException;
    }

    /** One file of the snapshot. */
    public record Part(Content content, String fileName, Text text) {}

    public SnapshotService(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /**
     * @param deflated false = the files are stored as they are
     * @throws IOException the receiver is gone
     */
    public void write(Set<Content> wanted, boolean deflated, OutputStream out) throws IOException {
        var zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
        for (Part part : parts) {
            if (wanted.contains(part.content())) {
                byte[] bytes = bytes(part);
                zip.putNextEntry(entry(part.fileName(), bytes, deflated));
                zip.write(bytes);
                zip.closeEntry();
            }
        }
        zip.finish();
    }

    private static ZipEntry entry(String name, byte[] bytes, boolean deflated) {
        var entry = new ZipEntry(name);
        if (!deflated) {
            var crc = new CRC32();
            crc.update(bytes);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(bytes.length);
            entry.setCrc(crc.getValue());
        }
        return entry;
    }

    private static byte[] bytes(Part part) {
        var bytes = new ByteArrayOutputStream();
        try (Writer text = new OutputStreamWriter(bytes, StandardCharsets.UTF_8)) {
            part.text().write(text);
        } catch (IOException | RuntimeException e) {
            LOG.warn("{} of the snapshot could not be made", part.fileName(), e);
            return ("could not be made: " + e + "\n").getBytes(StandardCharsets.UTF_8);
        }
        return bytes.toByteArray();
    }
}
