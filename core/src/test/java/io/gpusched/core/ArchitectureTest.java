package io.gpusched.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.Cycle;
import io.gpusched.core.engine.Engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Which package may use which.
///
///     model ◄─ event ◄─ state ◄─ learn ◄─ policy ◄─ engine ◄─ cell ◄─ drive ◄─ forecast
final class ArchitectureTest {
    private static final String CORE = "io.gpusched.core.";
    private static final List<String> LOWEST_FIRST =
            List.of(
                    "model",
                    "event",
                    "state",
                    "learn",
                    "policy",
                    "place",
                    "explain",
                    "engine",
                    "cell",
                    "drive",
                    "forecast");

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
