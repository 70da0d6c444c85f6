package io.gpusched.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;

import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.policy.pack.ShareChoiceFitter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.lang.reflect.Method;
import java.util.List;

/// Every rule has a test of its own, in its own package: `TooHot` has `TooHotTest`.
final class RuleTestsTest {
    private static final String POLICY = "io.gpusched.core.policy.";

    private static final List<String> FAMILIES =
            List.of("filter", "gate", "order", "score", "pack", "fit", "preempt");

    private static final List<Class<?>> INTERFACES =
            List.of(
                    Filter.class,
                    Gate.class,
                    QueueOrder.class,
                    Scorer.class,
                    Fitter.class,
                    ShareChoiceFitter.Choice.class,
                    Preemptor.class);

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void everyRuleHasATestBesideIt(String family) {
        List<String> rules = rules(POLICY + family);
        assertThat(rules).isNotEmpty();
        assertThat(rules).filteredOn(rule -> !hasTest(rule)).as("rules without a test").isEmpty();
    }

    @Test
    void everyRuleBelongsToAFamily() {
        List<String> families = FAMILIES.stream().map(family -> POLICY + family).toList();
        assertThat(CoreClasses.ALL)
                .filteredOn(each -> isRule(each) && each.getPackageName().startsWith(POLICY))
                .allMatch(each -> families.contains(each.getPackageName()));
    }

    private static List<String> rules(String inPackage) {
        return CoreClasses.ALL.stream()
                .filter(each -> each.getPackageName().equals(inPackage) && isRule(each))
                .map(JavaClass::getName)
                .sorted()
                .toList();
    }

    private static boolean isRule(JavaClass each) {
        return each.getModifiers().contains(JavaModifier.PUBLIC)
                && !each.isInterface()
                && INTERFACES.stream().anyMatch(each::isAssignableTo);
    }

    /// A class without a test method is no test.
    private static boolean hasTest(String rule) {
        try {
            for (Method method : Class.forName(rule + "Test").getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)
                        || method.isAnnotationPresent(ParameterizedTest.class)) {
                    return true;
                }
            }
            return false;
        } catch (ClassNotFoundException missing) {
            return false;
        }
    }
}
