// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.ledger.read.OffsetLocator;
import io.keptlog.domain.KeptlogException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Evidence for the next opening: a ledger that had messages must not be missing then. By the owner's maintenance, one at a time. */
final class FilledLedger {
    private static final Logger LOG = LoggerFactory.getLogger(FilledLedger.class);

    private final String name;
    private final LogOpener.OpeningRecord record;
    private long noted = -1;

    FilledLedger(String name, LogOpener.OpeningRecord record) {
        this.name = name;
        this.record = record;
    }

    /** @throws KeptlogException the metadata store does not answer */
    synchronized void note(OffsetLocator.Place confirmed) {
        if (confirmed.ledgerId() > noted && confirmed.entryId() >= 0) {
            record.filled(confirmed.ledgerId());
            noted = confirmed.ledgerId();
        }
    }

    void noteIfPossible(OffsetLocator.Place confirmed) {
        try {
            note(confirmed);
        } catch (KeptlogException e) {
            LOG.info("{}: the next opening goes without the evidence of the last ledger: {}", name, e.reason());
        }
    }
}
