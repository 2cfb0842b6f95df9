// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.storage.check.Finding.Severity;
import io.keptlog.storage.file.DataDirectoryLook;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.segment.format.CleanMarker;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a data directory: journals, and every partition that the catalog names or whose files are there. Writes nothing; works beside
 * a running server and on a copy. Throws {@link io.keptlog.storage.file.DataDirectoryException} when it is no data directory, an
 * IOException when its directories cannot be listed; damage of what is in it is a finding.
 */
public final class DataCheck {
    private final FileLayer files;
    private final DataDirectoryLook data;
    private final CheckProgress progress;
    private final Findings findings;

    private DataCheck(FileLayer files, DataDirectoryLook data, CheckProgress progress) {
        this.files = files;
        this.data = data;
        this.progress = progress;
        this.findings = new Findings(data.root(), progress);
    }

    public static CheckReport run(FileLayer files, Path directory, CheckProgress progress) throws IOException {
        return new DataCheck(files, DataDirectoryLook.at(files, directory), progress).run();
    }

    private CheckReport run() throws IOException {
        long started = System.nanoTime();
        if (data.epoch().isEmpty()) {
            findings.add(
                    Severity.DAMAGE,
                    "data directory",
                    Found.DAMAGED_CHECKPOINT,
                    data.root().resolve("epoch"),
                    "The number of starts does not prove itself.");
        }
        var journals = new JournalCheck(files, data, findings);
        CatalogState catalog = journals.catalog();
        journals.offsets();
        journals.reports();
        Map<PartitionRef, Path> found = PartitionDirectories.list(files, data.root());
        progress.begins(segmentBytes(found.values()));
        CleanMarker marker = CleanMarker.read(files, data.root());
        for (PartitionSpec spec : specs(catalog, found)) {
            var check = new PartitionCheck(files, data.root(), spec, data.inUse(), findings);
            check.run(marker.end(spec.ref(), spec.incarnation()));
        }
        return report(started);
    }

    private CheckReport report(long started) {
        return new CheckReport(
                data.root().toString(),
                data.inUse(),
                data.epoch().orElse(0),
                findings.partitions,
                findings.segments,
                findings.frames,
                findings.messages,
                findings.journalRecords,
                findings.bytes,
                (System.nanoTime() - started) / 1_000_000,
                findings.list());
    }

    /** Those of the catalog; without one, those whose segments say who they are. */
    private List<PartitionSpec> specs(@Nullable CatalogState catalog, Map<PartitionRef, Path> found)
            throws IOException {
        Map<PartitionRef, PartitionSpec> specs = new TreeMap<>(PartitionDirectories.ORDER);
        if (catalog != null) {
            catalog.streams().values().stream()
                    .flatMap(stream -> stream.topics().values().stream())
                    .flatMap(topic -> topic.specs().stream())
                    .forEach(spec -> specs.put(spec.ref(), spec));
        }
        for (Map.Entry<PartitionRef, Path> one : found.entrySet()) {
            if (specs.containsKey(one.getKey())) {
                continue;
            }
            if (catalog != null) {
                findings.add(
                        Severity.NOTE,
                        "partition " + one.getKey(),
                        Found.UNKNOWN_DIRECTORY,
                        one.getValue(),
                        "The catalog does not name it: deleted and not yet removed, or the next start puts it aside.");
                continue;
            }
            PartitionSpec spec = byHeaders(one.getKey(), one.getValue());
            if (spec == null) {
                findings.add(
                        Severity.DAMAGE,
                        "partition " + one.getKey(),
                        Found.MISSING_SEGMENT,
                        one.getValue(),
                        "No segment in it has a header that proves itself.");
            } else {
                specs.put(one.getKey(), spec);
            }
        }
        return new ArrayList<>(specs.values());
    }

    private @Nullable PartitionSpec byHeaders(PartitionRef ref, Path directory) throws IOException {
        MemorySegment block = MemorySegment.ofArray(new byte[SegmentHeader.BYTES]);
        for (Path path : files.list(directory)) {
            if (PartitionPaths.logBase(path).isEmpty()) {
                continue;
            }
            try (StoreFile file = files.open(path, FileLayer.Mode.READ)) {
                SegmentHeader header = SegmentHeader.read(block.asSlice(0, file.read(block, 0)));
                if (header != null && header.ref().equals(ref)) {
                    return new PartitionSpec(ref, header.incarnation(), LogOptions.defaults(Durability.REPLICATED));
                }
            }
        }
        return null;
    }

    private long segmentBytes(Iterable<Path> directories) throws IOException {
        long total = 0;
        for (Path directory : directories) {
            for (Path path : files.list(directory)) {
                if (PartitionPaths.logBase(path).isPresent()) {
                    total += size(path);
                }
            }
        }
        return total;
    }

    /** 0 when it was deleted meanwhile or cannot be read: then its partition's check says so. */
    private long size(Path path) {
        try (StoreFile file = files.open(path, FileLayer.Mode.READ)) {
            return file.size();
        } catch (IOException e) {
            return 0;
        }
    }
}
