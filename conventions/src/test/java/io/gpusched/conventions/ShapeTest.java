package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.regex.Pattern;

import javax.lang.model.element.Modifier;

/// Checks names, method sizes and modifiers in the syntax trees of all sources.
final class ShapeTest {
    private static final int MAX_METHOD_LINES = 60;
    private static final Pattern EMPTY_WORD =
            Pattern.compile(
                    "^Abstract[A-Z].*|.*(Manager|Utils?|Helper|Impl|Base|Abstract|Data|Info"
                            + "|Processor|Common)$");
    private static final Pattern GETTER = Pattern.compile("get[A-Z].*");
    private static final Pattern OPTIONAL = Pattern.compile("(java\\.util\\.)?Optional\\b.*");

    private static final Parsed PARSED = new Parsed(Checkout.here());

    @Test
    void noMethodIsLongerThanTheLimit() {
        assertThat(
                        PARSED.findings(
                                new Parsed.Scanner() {
                                    @Override
                                    public Void visitMethod(MethodTree method, Parsed parsed) {
                                        long lines = parsed.lines(unit(), method);
                                        if (lines > MAX_METHOD_LINES) {
                                            wrong(parsed, method, method.getName() + ": " + lines);
                                        }
                                        return super.visitMethod(method, parsed);
                                    }
                                }))
                .as("methods over %s lines: extract a step", MAX_METHOD_LINES)
                .isEmpty();
    }

    @Test
    void noTypeHasAnEmptyWordInItsName() {
        assertThat(
                        PARSED.findings(
                                new Parsed.Scanner() {
                                    @Override
                                    public Void visitClass(ClassTree type, Parsed parsed) {
                                        String name = type.getSimpleName().toString();
                                        if (EMPTY_WORD.matcher(name).matches()) {
                                            wrong(parsed, type, name);
                                        }
                                        return super.visitClass(type, parsed);
                                    }
                                }))
                .as("names that say nothing: use a word of the domain")
                .isEmpty();
    }

    @Test
    void methodsAreNotNamedGet() {
        assertThat(
                        PARSED.findings(
                                new Parsed.Scanner() {
                                    @Override
                                    public Void visitMethod(MethodTree method, Parsed parsed) {
                                        if (GETTER.matcher(method.getName()).matches()
                                                && !has(method.getModifiers(), "Override")) {
                                            wrong(parsed, method, method.getName().toString());
                                        }
                                        return super.visitMethod(method, parsed);
                                    }
                                }))
                .as("name the thing, without get")
                .isEmpty();
    }

    @Test
    void everyPublicTypeIsDocumented() {
        assertThat(
                        PARSED.findings(
                                new Parsed.Scanner() {
                                    @Override
                                    public Void visitClass(ClassTree type, Parsed parsed) {
                                        if (isTopLevel()
                                                && !isTest(parsed)
                                                && is(type.getModifiers(), Modifier.PUBLIC)
                                                && !parsed.isDocumented(getCurrentPath())) {
                                            wrong(parsed, type, type.getSimpleName().toString());
                                        }
                                        return super.visitClass(type, parsed);
                                    }

                                    private boolean isTopLevel() {
                                        return getCurrentPath()
                                                .getParentPath()
                                                .getLeaf()
                                                .equals(unit());
                                    }
                                }))
                .as("public types without a doc comment")
                .isEmpty();
    }

    /// Benchmark states are the exception: JMH extends them.
    @Test
    void classesAreFinal() {
        assertThat(
                        PARSED.findings(
                                new Parsed.Scanner() {
                                    @Override
                                    public Void visitClass(ClassTree type, Parsed parsed) {
                                        if (isPlainClass(type)
                                                && !isTest(parsed)
                                                && !has(type.getModifiers(), "State")) {
                                            wrong(parsed, type, type.getSimpleName().toString());
                                        }
                                        return super.visitClass(type, parsed);
                                    }
                                }))
                .as("neither final nor sealed")
                .isEmpty();
    }

    @Test
    void noFieldOrParameterIsOptional() {
        assertThat(
                        PARSED.findings(
                                new Parsed.Scanner() {
                                    @Override
                                    public Void visitVariable(
                                            VariableTree variable, Parsed parsed) {
                                        Tree parent = getCurrentPath().getParentPath().getLeaf();
                                        boolean member =
                                                parent instanceof ClassTree
                                                        || parent instanceof MethodTree;
                                        if (member && isOptional(variable)) {
                                            wrong(parsed, variable, variable.getName().toString());
                                        }
                                        return super.visitVariable(variable, parsed);
                                    }
                                }))
                .as("no Optional fields or parameters: see docs/style.md, Nullness")
                .isEmpty();
    }

    private static boolean isPlainClass(ClassTree type) {
        ModifiersTree modifiers = type.getModifiers();
        return type.getKind() == Tree.Kind.CLASS
                && !type.getSimpleName().isEmpty()
                && !is(modifiers, Modifier.FINAL)
                && !is(modifiers, Modifier.SEALED);
    }

    private static boolean isOptional(VariableTree variable) {
        Tree type = variable.getType();
        return type != null && OPTIONAL.matcher(type.toString()).matches();
    }

    private static boolean is(ModifiersTree modifiers, Modifier modifier) {
        return modifiers.getFlags().contains(modifier);
    }

    private static boolean has(ModifiersTree modifiers, String annotation) {
        List<String> names =
                modifiers.getAnnotations().stream()
                        .map(one -> one.getAnnotationType().toString())
                        .toList();
        return names.contains(annotation);
    }
}
