package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;

import org.junit.jupiter.api.Test;

import java.util.Locale;

/// Only `Cell` begins a scheduling cycle. `ArchitectureTest` of `core` checks the classes of
/// `core`; this test checks the sources of the other modules.
final class OneCycleOwnerTest {
    private static final String CYCLE = "io.gpusched.core.engine.Cycle";

    @Test
    void noModuleBeginsACycleBesideTheCell() {
        assertThat(
                        new Parsed(Checkout.here())
                                .findings(
                                        new Parsed.Scanner() {
                                            @Override
                                            public Void visitImport(
                                                    ImportTree tree, Parsed parsed) {
                                                String name =
                                                        tree.getQualifiedIdentifier().toString();
                                                if (isChecked(parsed) && name.equals(CYCLE)) {
                                                    wrong(parsed, tree, name);
                                                }
                                                return super.visitImport(tree, parsed);
                                            }

                                            @Override
                                            public Void visitMethodInvocation(
                                                    MethodInvocationTree call, Parsed parsed) {
                                                if (isChecked(parsed) && beginsOrRuns(call)) {
                                                    wrong(parsed, call, call.toString());
                                                }
                                                return super.visitMethodInvocation(call, parsed);
                                            }

                                            private boolean isChecked(Parsed parsed) {
                                                return !isTest(parsed)
                                                        && !parsed.file(unit()).startsWith("core");
                                            }
                                        }))
                .as("cycles begun outside Cell: use Cell.decide, Cell.attempt or Cell.conclude")
                .isEmpty();
    }

    private static boolean beginsOrRuns(MethodInvocationTree call) {
        if (!(call.getMethodSelect() instanceof MemberSelectTree select)) {
            return false;
        }
        String method = select.getIdentifier().toString();
        String on = select.getExpression().toString().toLowerCase(Locale.ROOT);
        return method.equals("takeTurns")
                || (method.equals("begin") && (on.endsWith("engine") || on.endsWith("engine()")));
    }
}
