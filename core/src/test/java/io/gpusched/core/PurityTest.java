package io.gpusched.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Core decides; it does not act, look, wait or roll dice. The same inputs give the same decisions
/// on every machine and in every year, and these bans keep it so. Each says why it is there.
final class PurityTest {
    /// Classes that may own a `HashMap`, because they only ever look keys up in it. They may not
    /// iterate over any map. Add a name with the measurement that made `LinkedHashMap` too slow.
    private static final Set<String> LOOKUP_ONLY = Set.of();

    /// Exact by specification, so equal on every machine; the rest of `Math` may differ by an ulp.
    private static final Set<String> EXACT_MATH =
            Set.of(
                    "abs",
                    "absExact",
                    "addExact",
                    "ceil",
                    "ceilDiv",
                    "ceilDivExact",
                    "ceilMod",
                    "clamp",
                    "copySign",
                    "decrementExact",
                    "divideExact",
                    "floor",
                    "floorDiv",
                    "floorDivExact",
                    "floorMod",
                    "fma",
                    "getExponent",
                    "incrementExact",
                    "max",
                    "min",
                    "multiplyExact",
                    "multiplyFull",
                    "multiplyHigh",
                    "negateExact",
                    "nextAfter",
                    "nextDown",
                    "nextUp",
                    "rint",
                    "round",
                    "scalb",
                    "signum",
                    "sqrt",
                    "subtractExact",
                    "toIntExact",
                    "ulp",
                    "unsignedMultiplyHigh");

    /// One ban on types: whole packages end in two dots.
    record TypeBan(String reason, List<String> types) {
        static TypeBan of(String reason, String... types) {
            return new TypeBan(reason, List.of(types));
        }

        DescribedPredicate<JavaClass> matching() {
            return DescribedPredicate.describe(String.join(", ", types), this::bans);
        }

        private boolean bans(JavaClass type) {
            return types.stream()
                    .anyMatch(
                            banned ->
                                    banned.endsWith("..")
                                            ? inPackage(type, banned.replace("..", ""))
                                            : type.getFullName().equals(banned));
        }

        private static boolean inPackage(JavaClass type, String name) {
            return type.getPackageName().equals(name)
                    || type.getPackageName().startsWith(name + ".");
        }
    }

    /// One ban on calls, constructors and fields.
    record CallBan(String reason, Predicate<JavaAccess<?>> bans) {}

    static Stream<TypeBan> typeBans() {
        return Stream.of(
                TypeBan.of(
                        "core does no I/O: effects leave through the ports of the cell",
                        "java.io..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.lang.Process",
                        "java.lang.ProcessBuilder",
                        "java.lang.ProcessHandle"),
                TypeBan.of("core talks to nobody", "java.net.."),
                TypeBan.of(
                        "one thread owns the cell: whoever needs a lock here has two owners",
                        "java.util.concurrent..",
                        "java.lang.Thread",
                        "java.lang.ThreadLocal",
                        "java.lang.InheritableThreadLocal",
                        "java.lang.ScopedValue",
                        "java.util.Timer"),
                TypeBan.of(
                        "a decision explains itself as a value, it does not log",
                        "java.util.logging..",
                        "java.lang.System$Logger"),
                TypeBan.of(
                        "time is the parameter now",
                        "java.time.Clock",
                        "java.util.Date",
                        "java.util.Calendar",
                        "java.util.TimeZone"),
                TypeBan.of("ids come from the ledger's counter", "java.util.UUID"),
                TypeBan.of(
                        "dice are seeded from (policy seed, batch number)",
                        "java.security.SecureRandom",
                        "java.util.concurrent.ThreadLocalRandom"),
                TypeBan.of(
                        "what the compiler cannot see, a reader cannot find",
                        "java.lang.reflect..",
                        "java.lang.invoke.MethodHandles",
                        "java.util.ServiceLoader"),
                TypeBan.of(
                        "when the collector runs must not matter",
                        "java.lang.ref..",
                        "java.util.WeakHashMap"),
                TypeBan.of(
                        "ordered by address, which differs on every run",
                        "java.util.IdentityHashMap"),
                TypeBan.of("numbers and words must read the same everywhere", "java.text.."));
    }

    static Stream<CallBan> callBans() {
        return Stream.of(
                new CallBan(
                        "time is the parameter now",
                        call -> inTime(call) && call.getName().equals("now")),
                new CallBan(
                        "the place where core runs must not matter",
                        call -> inTime(call) && call.getName().equals("systemDefault")),
                new CallBan(
                        "of System only arraycopy is a function",
                        call -> on(call, "java.lang.System") && !named(call, "arraycopy")),
                new CallBan("core asks the machine nothing", call -> on(call, "java.lang.Runtime")),
                new CallBan(
                        "Math may differ by an ulp between machines: use StrictMath",
                        call -> on(call, "java.lang.Math") && !EXACT_MATH.contains(call.getName())),
                new CallBan(
                        "dice are seeded: StrictMath.random, new Random() and shuffle(list) are"
                                + " not",
                        PurityTest::isUnseeded),
                new CallBan(
                        "iteration order of these changes from run to run: LinkedHashMap, TreeMap,"
                                + " EnumMap or a List",
                        PurityTest::isUnordered),
                new CallBan(
                        "HashMap and HashSet have no defined order: LinkedHashMap, TreeMap,"
                                + " EnumMap",
                        call ->
                                isHashed(call)
                                        && !LOOKUP_ONLY.contains(
                                                call.getOriginOwner().getFullName())),
                new CallBan(
                        "a look-up table is not walked",
                        call ->
                                LOOKUP_ONLY.contains(call.getOriginOwner().getFullName())
                                        && named(call, "keySet", "values", "entrySet", "forEach")),
                new CallBan(
                        "an enum's hash differs between JVMs: hashes serve hashCode only",
                        call ->
                                (named(call, "hashCode", "identityHashCode")
                                                || on(call, "java.util.Objects")
                                                        && named(call, "hash"))
                                        && !call.getOrigin().getName().equals("hashCode")),
                new CallBan(
                        "sums in a fixed order: nothing runs in parallel",
                        call ->
                                named(call, "parallel", "parallelStream")
                                        || on(call, "java.util.Arrays")
                                                && call.getName().startsWith("parallel")),
                new CallBan(
                        "the default locale prints 0,5 in some places: give Locale.ROOT",
                        PurityTest::usesDefaultLocale),
                new CallBan(
                        "what the compiler cannot see, a reader cannot find",
                        call ->
                                on(call, "java.lang.Class")
                                        && named(call, "forName", "newInstance")));
    }

    @ParameterizedTest
    @MethodSource("typeBans")
    void coreDoesNotUse(TypeBan ban) {
        noClasses()
                .should()
                .dependOnClassesThat(ban.matching())
                .because(ban.reason())
                .allowEmptyShould(true)
                .check(CoreClasses.ALL);
    }

    @ParameterizedTest
    @MethodSource("callBans")
    void coreDoesNotCall(CallBan ban) {
        noClasses()
                .should()
                .accessTargetWhere(DescribedPredicate.describe("banned", ban.bans()))
                .because(ban.reason())
                .allowEmptyShould(true)
                .check(CoreClasses.ALL);
    }

    @Test
    void nothingIsSynchronized() {
        noCodeUnits()
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .because("one thread owns the cell")
                .allowEmptyShould(true)
                .check(CoreClasses.ALL);
    }

    private static boolean isUnseeded(JavaAccess<?> call) {
        return on(call, "java.util.Random", "java.util.SplittableRandom")
                        && named(call, "<init>")
                        && parameters(call).isEmpty()
                || on(call, "java.util.random.RandomGenerator") && named(call, "getDefault", "of")
                || on(call, "java.lang.StrictMath") && named(call, "random")
                || on(call, "java.util.Collections")
                        && named(call, "shuffle")
                        && parameters(call).size() == 1;
    }

    private static boolean isUnordered(JavaAccess<?> call) {
        return on(call, "java.util.Map") && named(call, "of", "ofEntries", "copyOf")
                || on(call, "java.util.Set") && named(call, "of", "copyOf")
                || on(call, "java.util.stream.Collectors")
                        && (named(call, "toSet", "toUnmodifiableSet", "toUnmodifiableMap")
                                || named(call, "toMap") && parameters(call).size() < 4
                                || named(call, "groupingBy") && parameters(call).size() < 3);
    }

    private static boolean isHashed(JavaAccess<?> call) {
        return on(call, "java.util.HashMap", "java.util.HashSet", "java.util.Hashtable")
                && named(call, "<init>", "newHashMap", "newHashSet");
    }

    private static boolean usesDefaultLocale(JavaAccess<?> call) {
        return on(call, "java.lang.String")
                && (named(call, "formatted")
                        || named(call, "format") && !parameters(call).contains("java.util.Locale")
                        || named(call, "toLowerCase", "toUpperCase") && parameters(call).isEmpty());
    }

    private static boolean inTime(JavaAccess<?> call) {
        return call.getTargetOwner().getPackageName().startsWith("java.time");
    }

    private static boolean on(JavaAccess<?> call, String... types) {
        return List.of(types).contains(call.getTargetOwner().getFullName());
    }

    private static boolean named(JavaAccess<?> call, String... names) {
        return List.of(names).contains(call.getName());
    }

    /// Names of the parameter types; empty for a field as well.
    private static List<String> parameters(JavaAccess<?> call) {
        return call.getTarget() instanceof CodeUnitAccessTarget unit
                ? unit.getRawParameterTypes().stream().map(JavaClass::getFullName).toList()
                : List.of();
    }
}
