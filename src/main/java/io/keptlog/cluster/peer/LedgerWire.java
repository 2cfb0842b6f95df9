// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.peer;

import io.keptlog.cluster.client.LedgerView;
import io.keptlog.domain.QuorumPolicy;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Ledgers between brokers:
 *
 * <pre>
 * u32 count, then each   u64 ledger id, u8 there, [u32 E, u32 Qw, u32 Qa], u64 entries, u8 open, ensembles
 * ensembles              u32 count, then each   u64 first entry, u32 count, that many bookie ids
 * </pre>
 */
final class LedgerWire {
    private LedgerWire() {}

    static void write(DataOutput out, List<LedgerView> ledgers) throws IOException {
        out.writeInt(ledgers.size());
        for (LedgerView view : ledgers) {
            out.writeLong(view.ledgerId());
            QuorumPolicy policy = view.policy();
            out.writeBoolean(policy != null);
            if (policy != null) {
                out.writeInt(policy.ensembleSize());
                out.writeInt(policy.writeQuorum());
                out.writeInt(policy.ackQuorum());
            }
            out.writeLong(view.entries());
            out.writeBoolean(view.open());
            write(out, view.ensembles());
        }
    }

    private static void write(DataOutput out, Map<Long, List<String>> ensembles) throws IOException {
        out.writeInt(ensembles.size());
        for (Map.Entry<Long, List<String>> ensemble : ensembles.entrySet()) {
            out.writeLong(ensemble.getKey());
            out.writeInt(ensemble.getValue().size());
            for (String bookie : ensemble.getValue()) {
                out.writeUTF(bookie);
            }
        }
    }

    static List<LedgerView> read(DataInput in) throws IOException {
        int count = in.readInt();
        var list = new ArrayList<LedgerView>(count);
        for (int i = 0; i < count; i++) {
            long ledgerId = in.readLong();
            list.add(new LedgerView(ledgerId, policy(in), in.readLong(), in.readBoolean(), ensembles(in)));
        }
        return List.copyOf(list);
    }

    private static @Nullable QuorumPolicy policy(DataInput in) throws IOException {
        return in.readBoolean() ? new QuorumPolicy(in.readInt(), in.readInt(), in.readInt()) : null;
    }

    private static Map<Long, List<String>> ensembles(DataInput in) throws IOException {
        int count = in.readInt();
        var byFirst = new TreeMap<Long, List<String>>();
        for (int e = 0; e < count; e++) {
            long first = in.readLong();
            int bookies = in.readInt();
            var ensemble = new ArrayList<String>(bookies);
            for (int b = 0; b < bookies; b++) {
                ensemble.add(in.readUTF());
            }
            byFirst.put(first, List.copyOf(ensemble));
        }
        return byFirst;
    }
}
