// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.storage.record.CatalogCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The whole catalog as one value of the metadata store: gzip of the JSON that the journal of a single node writes for a whole state
 * ({@link CatalogCodec}), with a format number. What is not understood is refused, not left out: the next change would lose it.
 */
final class CatalogImage {
    private static final int FORMAT = 1;
    private static final String FORMAT_MEMBER = "format";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private CatalogImage() {}

    static byte[] encode(CatalogState state) {
        var image = (ObjectNode) JSON.readTree(CatalogCodec.encode(state));
        image.put(FORMAT_MEMBER, FORMAT);
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
        try (var unzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            if (!(JSON.readTree(unzip.readAllBytes()) instanceof ObjectNode image)) {
                throw new IllegalStateException("what the metadata store has is not a catalog");
            }
            int format = image.path(FORMAT_MEMBER).asInt(0);
            if (format != FORMAT) {
                throw new IllegalStateException("the catalog has format " + format + ", this server knows " + FORMAT);
            }
            image.remove(FORMAT_MEMBER);
            return CatalogCodec.decodeState(JSON.writeValueAsBytes(image));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException("the catalog in the metadata store cannot be read", e);
        }
    }
}
