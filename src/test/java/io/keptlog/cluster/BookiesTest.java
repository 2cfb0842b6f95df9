// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static io.keptlog.cluster.ledger.LedgerFixture.append;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.cluster.BookieSignals.Status;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.storage.PartitionLog;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.discover.BookieServiceInfo;
import org.apache.bookkeeper.meta.MetadataBookieDriver;
import org.apache.bookkeeper.meta.MetadataDrivers;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.stats.NullStatsLogger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bookies in one place (requirements B13): what they say of themselves, and those that say nothing. */
class BookiesTest {
    @TempDir
    Path directory;

    private static Map<String, BookieView> byId(ClusterStore store) {
        return store.replication().bookies().stream().collect(Collectors.toMap(BookieView::id, Function.identity()));
    }

    @Test
    void whatBookiesSayAndHowFastTheyAnswerIsShownAndWhichOneAcknowledgementsWaitFor() throws Exception {
        try (var cluster = new LocalCluster(directory, 3);
                ClusterStore store = ClusterStoreTest.open(cluster, "broker")) {
            PartitionRef ref = ClusterStoreTest.createTopic(
                    store, 1, Map.of("ensemble_size", "3", "write_quorum", "3", "ack_quorum", "2"));
            PartitionLog log = ClusterStoreTest.log(store, ref);
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                for (int i = 0; i < 20; i++) {
                    append(log, "message");
                }
                List<BookieView> bookies = store.replication().bookies();
                assertThat(bookies).hasSize(3).allSatisfy(b -> {
                    assertThat(b.signals().status()).isEqualTo(Status.UP);
                    assertThat(b.writable()).isTrue();
                    assertThat(b.journalSync()).isEqualTo(BookieView.JournalSync.SYNCED);
                    assertThat(b.signals().forceWriteQueue()).isNotNull();
                    assertThat(b.signals().addsInProgress()).isNotNull();
                    assertThat(b.addMillis()).isPositive();
                });
                List<BookieView> byTime = bookies.stream()
                        .sorted(java.util.Comparator.comparing(BookieView::addMillis))
                        .toList();
                assertThat(byTime.get(1).decidesFor()).as("the second of three").containsExactly(ref.streamId());
                assertThat(byTime.get(0).decidesFor()).isEmpty();
                assertThat(byTime.get(2).decidesFor()).isEmpty();
            });
        }
    }

    /** Registered like a bookie, with an admin port of the test's own. */
    private static final class Impostor implements AutoCloseable {
        final String id;
        private final ServerSocket admin = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final MetadataBookieDriver driver;
        private final List<Socket> taken = new ArrayList<>();

        interface Behaviour {
            void answer(OutputStream out) throws IOException;
        }

        Impostor(LocalCluster cluster, Behaviour behaviour) throws Exception {
            id = "127.0.0.1:" + admin.getLocalPort();
            var conf = new ServerConfiguration();
            conf.setMetadataServiceUri(cluster.bookKeeperUri());
            driver = MetadataDrivers.getBookieDriver(URI.create(cluster.bookKeeperUri()))
                    .initialize(conf, NullStatsLogger.INSTANCE);
            var info = new BookieServiceInfo();
            var endpoint = new BookieServiceInfo.Endpoint();
            endpoint.setId("admin");
            endpoint.setProtocol("http");
            endpoint.setHost("127.0.0.1");
            endpoint.setPort(admin.getLocalPort());
            endpoint.setAuth(List.of());
            endpoint.setExtensions(List.of());
            info.setEndpoints(List.of(endpoint));
            info.setProperties(Map.of());
            driver.createRegistrationManager().registerBookie(BookieId.parse(id), false, info);
            Thread.ofPlatform().daemon().start(() -> serve(behaviour));
        }

        private void serve(Behaviour behaviour) {
            while (!admin.isClosed()) {
                try {
                    Socket socket = admin.accept();
                    synchronized (taken) {
                        taken.add(socket);
                    }
                    Thread.ofVirtual().start(() -> {
                        try {
                            behaviour.answer(socket.getOutputStream());
                        } catch (IOException e) {
                            assertThat(e).as("the asker has hung up").isNotNull();
                        }
                    });
                } catch (IOException e) {
                    assertThat(admin.isClosed()).isTrue();
                }
            }
        }

        @Override
        public void close() throws Exception {
            admin.close();
            synchronized (taken) {
                for (Socket socket : taken) {
                    socket.close();
                }
            }
            driver.close();
        }
    }

    private static void head(OutputStream out, String status) throws IOException {
        out.write(("HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void oneThatIsSilentOrNeverEndsOrFailsIsShownAsSuchAndDelaysNothing() throws Exception {
        byte[] line = "bookie_SERVER_STATUS 1\n".getBytes(StandardCharsets.US_ASCII);
        try (var cluster = new LocalCluster(directory, 1);
                var silent = new Impostor(cluster, out -> {});
                var endless = new Impostor(cluster, out -> {
                    head(out, "200 OK");
                    while (true) {
                        out.write(line);
                    }
                });
                var failing = new Impostor(cluster, out -> {
                    head(out, "500 Internal Server Error");
                    out.close();
                });
                ClusterStore store = ClusterStoreTest.open(cluster, "broker")) {
            long begun = System.nanoTime();
            assertThat(store.replication().bookies()).hasSize(4);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));

            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                long asked = System.nanoTime();
                Map<String, BookieView> found = byId(store);
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(1));
                assertThat(found.get(cluster.bookies().getFirst().id())
                                .signals()
                                .status())
                        .isEqualTo(Status.UP);
                for (Impostor one : List.of(silent, endless, failing)) {
                    assertThat(found.get(one.id).signals().status()).isEqualTo(Status.NO_ANSWER);
                    assertThat(found.get(one.id).journalSync()).isEqualTo(BookieView.JournalSync.UNVERIFIED);
                }
            });
        }
    }
}
