// SPDX-License-Identifier: Apache-2.0
package io.keptlog;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.keptlog.storage.file.StoreFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Rooms and arrows (docs/concepts.md): who may know whom. */
class ArchitectureTest {
    private static JavaClasses product;

    @BeforeAll
    static void read() {
        product = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.keptlog");
    }

    private static void holds(ArchRule rule) {
        rule.allowEmptyShould(true).check(product);
    }

    private static void mayOnlyKnow(String room, String... others) {
        String[] allowed = new String[others.length + 1];
        allowed[0] = "io.keptlog." + room + "..";
        for (int i = 0; i < others.length; i++) {
            allowed[i + 1] = "io.keptlog." + others[i] + "..";
        }
        holds(classes()
                .that()
                .resideInAPackage("io.keptlog." + room + "..")
                .should()
                .onlyDependOnClassesThat(com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage(
                                "io.keptlog..")
                        .or(com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage(allowed))));
    }

    @Test
    void domainKnowsNothingElse() {
        mayOnlyKnow("domain");
        holds(noClasses()
                .that()
                .resideInAPackage("io.keptlog.domain..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "tools.jackson..", "com.fasterxml..", "java.nio.file.."));
    }

    @Test
    void theStoresNeverSeeEachOther() {
        mayOnlyKnow("storage", "domain");
        mayOnlyKnow("storage.segment", "storage", "domain");
        mayOnlyKnow("storage.journal", "storage", "domain");
        holds(noClasses()
                .that()
                .resideInAPackage("io.keptlog.storage.segment..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.keptlog.storage.journal.."));
        holds(noClasses()
                .that()
                .resideInAPackage("io.keptlog.storage.journal..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.keptlog.storage.segment.."));
        holds(noClasses()
                .that()
                .resideInAPackage("io.keptlog.storage")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.keptlog.storage.segment..", "io.keptlog.storage.journal.."));
    }

    @Test
    void arrowsPointRight() {
        mayOnlyKnow("durability", "storage", "domain");
        mayOnlyKnow("service", "durability", "storage", "domain");
        mayOnlyKnow("access", "service", "domain");
        mayOnlyKnow("http", "service", "access", "domain");
        mayOnlyKnow("metrics", "domain");
        holds(noClasses()
                .that()
                .resideInAPackage("io.keptlog.service..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.keptlog.storage.segment..", "io.keptlog.storage.journal..", "io.keptlog.storage.file.."));
    }

    @Test
    void bookKeeperStaysInTheClustersRoom() {
        mayOnlyKnow("cluster", "storage", "domain");
        holds(noClasses()
                .that()
                .resideOutsideOfPackage("io.keptlog.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.bookkeeper..", "org.apache.pulsar..", "org.apache.zookeeper..", "io.netty.."));
        // Only what wires and what starts processes may know the cluster: a single node loads none of it.
        holds(noClasses()
                .that()
                .resideOutsideOfPackages("io.keptlog.cluster..", "io.keptlog.config..", "io.keptlog.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.keptlog.cluster.."));
        holds(noClasses()
                .that()
                .resideInAPackage("io.keptlog.cluster..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.keptlog.storage.segment..", "io.keptlog.storage.journal..", "io.keptlog.storage.file.."));
    }

    @Test
    void springStaysInItsRooms() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.keptlog",
                        "io.keptlog.http..",
                        "io.keptlog.access..",
                        "io.keptlog.config..",
                        "io.keptlog.metrics..",
                        "io.keptlog.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.."));
    }

    @Test
    void jacksonTwoIsNotUsed() {
        holds(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.fasterxml.jackson.core..", "com.fasterxml.jackson.databind.."));
    }

    @Test
    void metersAreNamedInOneRoom() {
        holds(noClasses()
                .that()
                .resideOutsideOfPackages("io.keptlog.metrics..", "io.keptlog.config..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer.."));
    }

    @Test
    void filesAreMappedInOneClassOfTheSegmentStore() {
        var mapsAFile = new DescribedPredicate<JavaMethodCall>("StoreFile.map") {
            @Override
            public boolean test(JavaMethodCall call) {
                return call.getName().equals("map") && call.getTargetOwner().isAssignableTo(StoreFile.class);
            }
        };
        holds(noClasses()
                .that()
                .resideOutsideOfPackage("io.keptlog.storage.file..")
                .and()
                .doNotHaveFullyQualifiedName("io.keptlog.storage.segment.MappedSegment")
                .should()
                .callMethodWhere(mapsAFile));
    }

    /** Who syncs must be few: a sync elsewhere can swallow an error that the sync owner then never sees. */
    @Test
    void filesAreSyncedByNamedClassesOnly() {
        var syncsAFile = new DescribedPredicate<JavaMethodCall>("StoreFile.syncData") {
            @Override
            public boolean test(JavaMethodCall call) {
                return call.getName().equals("syncData")
                        && call.getTargetOwner().isAssignableTo(StoreFile.class);
            }
        };
        String segment = "io.keptlog.storage.segment.";
        holds(noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.keptlog.storage.file..",
                        segment + "recovery..",
                        "io.keptlog.storage.repair..",
                        "io.keptlog.storage.truth..")
                .and()
                .doNotHaveFullyQualifiedName("io.keptlog.storage.journal.format.Generation")
                // Nobody else has open what a repair writes and what the truth test tries.
                // What the sync owner syncs is handed to it by the writer; the others make files that nobody else has
                // open yet.
                .and()
                .doNotHaveFullyQualifiedName(segment + "SegmentWriter")
                .and()
                .doNotHaveFullyQualifiedName(segment + "SegmentSpace")
                .and()
                .doNotHaveFullyQualifiedName(segment + "PartitionPlaces")
                .and()
                .doNotHaveFullyQualifiedName(segment + "format.CheckpointFile")
                .and()
                .doNotHaveFullyQualifiedName(segment + "format.SmallFile")
                .should()
                .callMethodWhere(syncsAFile));
    }

    /** A journal's generation is synced where it is begun, where it is rewritten, and by the sync owner. */
    @Test
    void journalsAreSyncedByTheirSyncOwner() {
        var syncsAGeneration = new DescribedPredicate<JavaMethodCall>("Generation.sync") {
            @Override
            public boolean test(JavaMethodCall call) {
                return call.getName().equals("sync")
                        && call.getTargetOwner().getName().equals("io.keptlog.storage.journal.format.Generation");
            }
        };
        holds(noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.keptlog.storage.journal.JournalSyncOwner")
                .and()
                .doNotHaveFullyQualifiedName("io.keptlog.storage.journal.Journal")
                .and()
                .doNotHaveFullyQualifiedName("io.keptlog.storage.journal.JournalRewrite")
                .should()
                .callMethodWhere(syncsAGeneration));
    }

    @Test
    void nothingIsInjectedIntoFields() {
        holds(noFields().should().beAnnotatedWith(Autowired.class));
    }

    @Test
    void roomsHaveNoCycles() {
        holds(slices().matching("io.keptlog.(*)..").should().beFreeOfCycles());
    }
}
