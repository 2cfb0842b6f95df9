// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.UserEntry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The whole catalog as one value of the metadata store: gzip of JSON, members named as in the records of {@code domain.catalog}. */
record CatalogImage(
        int format,
        int nextStreamId,
        List<StreamEntry> streams,
        int nextUserId,
        List<UserEntry> users,
        List<Removal> removals,
        Map<String, Long> revokedSessions) {
    private static final int FORMAT = 1;
    // A member that a newer server added is for that server; its format number says whether it may be left out.
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    static byte[] encode(CatalogState state) {
        var image = new CatalogImage(
                FORMAT,
                state.nextStreamId(),
                List.copyOf(state.streams().values()),
                state.nextUserId(),
                List.copyOf(state.users().values()),
                List.copyOf(state.removals()),
                state.revokedSessions());
        var bytes = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bytes)) {
            zip.write(JSON.writeValueAsBytes(image));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * @throws IllegalStateException made by a newer server, or not a catalog
     */
    static CatalogState decode(byte[] bytes) {
        CatalogImage image;
        try (var unzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            image = JSON.readValue(unzip.readAllBytes(), CatalogImage.class);
        } catch (IOException e) {
            throw new IllegalStateException("the catalog in the metadata store cannot be read", e);
        }
        if (image.format() != FORMAT) {
            throw new IllegalStateException(
                    "the catalog has format " + image.format() + ", this server knows " + FORMAT);
        }
        var streams = new TreeMap<Integer, StreamEntry>();
        image.streams().forEach(s -> streams.put(s.id(), s));
        var users = new TreeMap<Integer, UserEntry>();
        image.users().forEach(u -> users.put(u.id(), u));
        return new CatalogState(
                image.nextStreamId(),
                streams,
                image.nextUserId(),
                users,
                new LinkedHashSet<>(image.removals()),
                image.revokedSessions());
    }
}
