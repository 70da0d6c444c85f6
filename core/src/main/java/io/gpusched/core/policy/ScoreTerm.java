package io.gpusched.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// One scorer's contribution to a decision: its weight and its cost for the chosen node.
///
/// @param note a note for people, such as that the scorer failed; usually empty
public record ScoreTerm(String scorer, double weight, double cost, String note) {
    public ScoreTerm(String scorer, double weight, double cost) {
        this(scorer, weight, cost, "");
    }

    private static final Pattern WRITTEN =
            Pattern.compile("([^ =]+)=([0-9]+)‰(?:×([0-9]+(?:\\.[0-9]+)?))?");

    /// All terms as the journal keeps them: `availability=120‰×30 cost=500‰×15`.
    public static String written(List<ScoreTerm> terms) {
        var text = new StringBuilder();
        for (ScoreTerm scoreTerm : terms) {
            text.append(text.isEmpty() ? "" : " ").append(scoreTerm.scorer).append('=');
            text.append(Math.round(scoreTerm.cost * 1000)).append("‰×");
            long whole = Math.round(scoreTerm.weight);
            text.append(whole == scoreTerm.weight ? String.valueOf(whole) : "" + scoreTerm.weight);
            text.append(scoreTerm.note.isEmpty() ? "" : " (" + scoreTerm.note + ")");
        }
        return text.toString();
    }

    /// Parses what [#written] wrote, without notes; empty where the text is something else.
    public static List<ScoreTerm> read(String text) {
        var terms = new ArrayList<ScoreTerm>();
        var found = WRITTEN.matcher(text);
        while (found.find()) {
            String weight = found.group(3);
            terms.add(
                    new ScoreTerm(
                            found.group(1),
                            weight == null ? 1 : Double.parseDouble(weight),
                            Long.parseLong(found.group(2)) / 1000.0));
        }
        return terms;
    }

    /// The sum of all weights; 1 where there are none, so that it can be a divisor.
    public static double weights(List<ScoreTerm> terms) {
        double sum = 0;
        for (ScoreTerm scoreTerm : terms) {
            sum += scoreTerm.weight;
        }
        return sum > 0 ? sum : 1;
    }

    /// The score of the chosen node from 0 (worst) to 100 (best), over all terms.
    public static int points(List<ScoreTerm> terms) {
        double cost = 0;
        for (ScoreTerm scoreTerm : terms) {
            cost += scoreTerm.weight * scoreTerm.cost;
        }
        return (int) StrictMath.floor(100 * (1 - cost / weights(terms)) + 1e-9);
    }
}
