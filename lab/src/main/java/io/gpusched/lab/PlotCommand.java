package io.gpusched.lab;

import io.gpusched.lab.train.CurvePage;
import io.gpusched.lab.train.CurvePicture;
import io.gpusched.lab.train.TrainingCurve;
import io.gpusched.sim.trace.FileProblem;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;

/// `lab plot`: draws the curve of a training run.
@Command(
        name = "plot",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Draws the curve of a training run: the return of training episodes, the",
            "evaluations and the loss, as a PNG image and as an HTML page.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab plot runs/NAME.csv",
            "  lab plot runs/NAME.csv --out curve.png --smooth-window 10",
        })
final class PlotCommand implements Callable<Integer> {
    private static final int MOST_SMOOTH = 100_000;
    private static final String PNG = ".png";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "CSV", description = "Training curve that lab train wrote.")
    private Path csv = Path.of("");

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description =
                    "Image to write, as PNG; the page is written beside it, as HTML (default:"
                            + " beside the CSV file).")
    private @Nullable Path out;

    @Option(
            names = "--smooth-window",
            paramLabel = "N",
            description =
                    "Number of updates in a moving average (default 5); updates without a number"
                            + " are skipped.")
    private int window = 5;

    @Override
    public Integer call() {
        TrainingOptions.between("--smooth-window", window, 1, MOST_SMOOTH);
        Path image = out == null ? beside(csv, PNG) : out;
        if (!image.toString().toLowerCase(Locale.ROOT).endsWith(PNG)) {
            throw new UserError("--out: expected a name that ends in .png, found " + image);
        }
        TrainingCurve curve = read();
        var picture = new CurvePicture(stem(csv), curve, window);
        Path page = beside(image, ".html");
        Output.write(page, CurvePage.of(picture, curve));
        try {
            picture.write(image);
        } catch (IOException e) {
            throw new UserError("cannot write %s: %s".formatted(image, FileProblem.with(e)));
        }
        PrintWriter lines = spec.commandLine().getOut();
        lines.println("Image: " + image);
        lines.println("Page: " + page);
        lines.flush();
        return 0;
    }

    private TrainingCurve read() {
        try {
            return TrainingCurve.read(csv);
        } catch (IOException e) {
            throw new UserError("cannot read %s: %s".formatted(csv, FileProblem.with(e)));
        }
    }

    private static Path beside(Path file, String extension) {
        return file.resolveSibling(stem(file) + extension);
    }

    /// The name of a file without its extension.
    private static String stem(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }
}
