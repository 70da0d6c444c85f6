package io.gpusched.conventions;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import javax.tools.ToolProvider;

/// All Java sources of a checkout, parsed by the compiler but not resolved: shape, no types.
final class Parsed {
    private final Path root;
    private final List<CompilationUnitTree> units = new ArrayList<>();
    private final DocTrees trees;
    private final SourcePositions positions;

    Parsed(Checkout checkout) {
        root = checkout.root();
        var compiler = ToolProvider.getSystemJavaCompiler();
        var sources = compiler.getStandardFileManager(null, null, null);
        var files =
                sources.getJavaFileObjectsFromPaths(
                        checkout.java().stream().map(root::resolve).toList());
        var task = (JavacTask) compiler.getTask(null, sources, _ -> {}, List.of(), null, files);
        try {
            task.parse().forEach(units::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        trees = DocTrees.instance(task);
        positions = trees.getSourcePositions();
    }

    /// Runs one scanner over every file; it collects what is wrong.
    List<String> findings(Scanner scanner) {
        for (CompilationUnitTree unit : units) {
            scanner.scan(unit, this);
        }
        return scanner.found;
    }

    boolean isDocumented(TreePath path) {
        return trees.getDocComment(path) != null;
    }

    long lines(CompilationUnitTree unit, Tree tree) {
        long end = positions.getEndPosition(unit, tree);
        return line(unit, end) - line(unit, positions.getStartPosition(unit, tree)) + 1;
    }

    String place(CompilationUnitTree unit, Tree tree) {
        return file(unit) + ":" + line(unit, positions.getStartPosition(unit, tree));
    }

    Path file(CompilationUnitTree unit) {
        return root.relativize(Path.of(unit.getSourceFile().toUri()));
    }

    private static long line(CompilationUnitTree unit, long position) {
        return unit.getLineMap().getLineNumber(position);
    }

    /// One rule over the trees.
    static class Scanner extends TreePathScanner<Void, Parsed> {
        private final List<String> found = new ArrayList<>();

        final CompilationUnitTree unit() {
            return getCurrentPath().getCompilationUnit();
        }

        final void wrong(Parsed parsed, Tree at, String what) {
            found.add(parsed.place(unit(), at) + " " + what);
        }

        final boolean isTest(Parsed parsed) {
            return parsed.file(unit()).toString().contains("src/test/");
        }
    }
}
