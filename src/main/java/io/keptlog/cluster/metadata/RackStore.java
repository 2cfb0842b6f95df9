// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Racks of bookies, in the place and form in which Pulsar keeps them, so that its tools and its rack mapping for AutoRecovery read and write the
 * same: {@code /bookies}, JSON, group → bookie → {rack, hostname}. Changed by compare-and-set; what others have put there stays.
 */
public final class RackStore {
    public static final String PATH = "/bookies";
    private static final Logger LOG = LoggerFactory.getLogger(RackStore.class);
    private static final String GROUP = "default";
    private static final String RACK = "rack";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Metadata metadata;

    public RackStore(Metadata metadata) {
        this.metadata = metadata;
    }

    /**
     * Bookie → rack.
     *
     * @throws KeptlogException QUORUM_UNAVAILABLE: the metadata store does not answer
     */
    public Map<String, String> read() {
        Metadata.Value value = metadata.get(PATH);
        var racks = new TreeMap<String, String>();
        if (value != null) {
            for (JsonNode group : tree(value)) {
                group.properties().forEach(bookie -> {
                    String rack = bookie.getValue().path(RACK).asString("");
                    if (!rack.isBlank()) {
                        racks.put(bookie.getKey(), rack);
                    }
                });
            }
        }
        return racks;
    }

    /** An unreadable value is somebody else's: it counts as none, and is never written over. */
    private static ObjectNode tree(Metadata.Value value) {
        try {
            if (JSON.readTree(value.bytes()) instanceof ObjectNode tree) {
                return tree;
            }
        } catch (JacksonException e) {
            LOG.warn("{} in the metadata store is not JSON: {}", PATH, e.getOriginalMessage());
        }
        throw new KeptlogException(
                ErrorCode.QUORUM_UNAVAILABLE,
                PATH + " in the metadata store does not hold racks as Pulsar writes them.");
    }

    /**
     * @param rack null = none from now on
     */
    public void set(String bookie, @Nullable String rack) {
        metadata.create(PATH, JSON.writeValueAsBytes(JSON.createObjectNode()));
        while (true) {
            Metadata.Value value = metadata.getLatest(PATH);
            if (value == null) {
                throw new KeptlogException(ErrorCode.QUORUM_UNAVAILABLE, PATH + " was deleted meanwhile.");
            }
            ObjectNode tree = tree(value);
            String group = groupOf(tree, bookie);
            if (rack == null) {
                if (tree.get(group) instanceof ObjectNode members) {
                    members.remove(bookie);
                }
            } else {
                ObjectNode member = tree.withObjectProperty(group).withObjectProperty(bookie);
                member.put(RACK, rack);
            }
            byte[] bytes = JSON.writeValueAsBytes(tree);
            if (bytes.length > Limits.METADATA_VALUE_MAX_BYTES) {
                throw new KeptlogException(ErrorCode.INVALID_FORMAT, "There are too many bookies with racks.", RACK);
            }
            if (metadata.replace(PATH, bytes, value.version()).isPresent()) {
                return;
            }
        }
    }

    private static String groupOf(ObjectNode tree, String bookie) {
        for (Map.Entry<String, JsonNode> group : tree.properties()) {
            if (group.getValue().has(bookie)) {
                return group.getKey();
            }
        }
        return GROUP;
    }
}
