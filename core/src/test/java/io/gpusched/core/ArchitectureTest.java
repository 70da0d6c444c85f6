package io.gpusched.core;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.Cycle;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.LearnedInterference;
import io.gpusched.core.model.LearnedRuns;
import io.gpusched.core.nodes.NodeLedger;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.queue.QuotaQueue;
import io.gpusched.core.queue.WaitQueue;
import io.gpusched.core.tenants.TenantLedger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Which package may use which.
///
///     model ◄─ nodes ◄───────────┐
///     model ◄─ tenants ◄─ queue ◄┼─ state ◄─ learn ◄─ policy ◄─ place ◄─ engine ◄─ explain
///     model ◄─ event ◄───────────┘                  engine ◄─ cell ◄─ drive ◄─ forecast
final class ArchitectureTest {
    private static final String CORE = "io.gpusched.core.";
    private static final List<String> LOWEST_FIRST =
            List.of(
                    "model",
                    "pool",
                    "scale",
                    "spot",
                    "nodes",
                    "tenants",
                    "queue",
                    "event",
                    "state",
                    "learn",
                    "policy",
                    "place",
                    "engine",
                    "cell",
                    "drive",
                    "forecast",
                    "explain");

    static Stream<Integer> floors() {
        return IntStream.range(0, LOWEST_FIRST.size() - 1).boxed();
    }

    @ParameterizedTest
    @MethodSource("floors")
    void noPackageKnowsTheOnesAboveIt(int floor) {
        String[] above =
                LOWEST_FIRST.stream()
                        .skip(floor + 1L)
                        .map(name -> CORE + name + "..")
                        .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(CORE + LOWEST_FIRST.get(floor) + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above)
                .because("a reader learns core from the bottom up")
                .allowEmptyShould(true)
                .check(CoreClasses.ALL);
    }

    /// Three subjects that can be read alone: what tenants need of nodes is their total capacity.
    @ParameterizedTest
    @ValueSource(strings = {"tenants", "queue", "event"})
    void nodesAreKnownToTheLedgerOnly(String other) {
        noClasses()
                .that()
                .resideInAPackage(CORE + other + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + "nodes..")
                .because("nodes, tenants with their queue, and events meet in `state`")
                .check(CoreClasses.ALL);
    }

    /// The parts of the ledger have public methods that change them, for `state` to call. All
    /// others read them through interfaces without such methods.
    @Test
    void onlyTheLedgerChangesItsParts() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        CORE + "nodes", CORE + "tenants", CORE + "queue", CORE + "state")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(
                        NodeLedger.class, TenantLedger.class, WaitQueue.class, QuotaQueue.class)
                .because("only events change the ledger")
                .check(CoreClasses.ALL);
    }

    /// Two libraries of statistics and assignment that would serve another program as well. Of core
    /// they use a check and the values that they learn from and give out.
    @ParameterizedTest
    @ValueSource(strings = {"learn.runtime", "learn.assign"})
    void predictionAndAssignmentKnowNothingOfScheduling(String library) {
        classes()
                .that()
                .resideInAPackage(CORE + library)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("java..", "org.jspecify..", CORE + library)
                                .or(
                                        belongToAnyOf(
                                                Check.class,
                                                Features.class,
                                                LearnedRuns.class,
                                                LearnedInterference.class)))
                .because("what is learned of run times does not depend on how jobs are placed")
                .check(CoreClasses.ALL);
    }

    /// What a decision needs before and after it lives in one place. `conventions` checks the same
    /// for the other modules.
    @Test
    void onlyTheCellBeginsACycle() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(Cell.class.getName())
                .should()
                .callMethod(Engine.class, "begin", Instant.class)
                .orShould()
                .callMethod(Engine.class, "takeTurns", Cycle.class)
                .because("an experiment drives a cell, it does not rebuild one")
                .check(CoreClasses.ALL);
    }

    /// A call with ten arguments in a row is read wrongly sooner or later.
    @ParameterizedTest
    @ValueSource(classes = {JobSpec.class, EngineSettings.class, Policy.class})
    void wideRecordsAreMadeByTheirBuilders(Class<?> wide) {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(wide.getName() + "$Builder")
                .should()
                .callConstructorWhere(target(owner(equivalentTo(wide))))
                .because("a builder names what it is given")
                .check(CoreClasses.ALL);
    }

    @Test
    void everyClassLivesOnAFloor() {
        noClasses()
                .that()
                .haveSimpleNameNotEndingWith("package-info")
                .and()
                .haveSimpleNameNotEndingWith("module-info")
                .should()
                .resideOutsideOfPackages(
                        LOWEST_FIRST.stream()
                                .map(name -> CORE + name + "..")
                                .toArray(String[]::new))
                .because("a new package needs a place in the picture above")
                .allowEmptyShould(true)
                .check(CoreClasses.ALL);
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching(CORE + "(*)..")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(CoreClasses.ALL);
    }

    @Test
    void familiesOfRulesFormNoCycles() {
        slices().matching(CORE + "policy.(*)..")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(CoreClasses.ALL);
    }
}
