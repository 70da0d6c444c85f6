package io.gpusched.lab.runtimes;

import io.gpusched.lab.runtimes.PredictionContest.Guess;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// The errors of some predictions.
///
/// @param jobs the number of jobs that all three predicted; the errors are medians over them
/// @param inside the fraction of all jobs that ended within the 80 % range of the model
/// @param width the median width of that range, as a factor
public record PredictionErrors(
        String name,
        int jobs,
        double running,
        double recent,
        double ours,
        double inside,
        double width) {
    public static PredictionErrors of(String name, List<Guess> guesses) {
        List<Guess> known = guesses.stream().filter(Guess::known).toList();
        return new PredictionErrors(
                name,
                known.size(),
                median(known, Guess::running),
                median(known, Guess::recent),
                median(known, Guess::ours),
                guesses.stream().filter(Guess::inside).count() / (double) guesses.size(),
                median(guesses, guess -> guess.high() / guess.low()));
    }

    /// One for each group, largest group first.
    public static List<PredictionErrors> groups(List<Guess> guesses) {
        return guesses.stream()
                .collect(Collectors.groupingBy(guess -> guess.job().group()))
                .entrySet()
                .stream()
                .map(group -> of(group.getKey(), group.getValue()))
                .sorted(
                        Comparator.comparingInt(PredictionErrors::jobs)
                                .reversed()
                                .thenComparing(PredictionErrors::name))
                .toList();
    }

    private static double median(List<Guess> guesses, ToDoubleFunction<Guess> of) {
        return guesses.isEmpty()
                ? Double.NaN
                : Medians.median(guesses.stream().mapToDouble(of).toArray());
    }
}
