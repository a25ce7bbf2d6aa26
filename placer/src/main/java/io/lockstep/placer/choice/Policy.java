package io.lockstep.placer.choice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Ways to choose the rules of a layer; all are safe, they differ in the traffic served. */
public enum Policy implements LayerChoice {
  /** The best of the others, improved by exchanges. */
  PLACER,
  /** Greedy, with covers of what is above. */
  COVER_ONLY,
  /** Greedy, with everything above. */
  CLOSURE_ONLY,
  /** In the order of arrival, without covers, while there is room. */
  FIRST_COME;

  /** Up to this number of rules, every start is improved, not only the best one. */
  private static final int FEW = 512;

  /** The most looks at rules, which bounds the time of the improvement. */
  private static final long LOOKS = 50_000;

  @Override
  public Selection choose(LayerProblem problem) {
    return switch (this) {
      case COVER_ONLY -> greedy(problem, Grouping.COVERS);
      case CLOSURE_ONLY -> greedy(problem, Grouping.CLOSURE);
      case FIRST_COME -> FirstCome.choose(problem);
      case PLACER -> best(problem);
    };
  }

  private static Selection greedy(LayerProblem problem, Grouping grouping) {
    Selection selection = new Selection(problem);
    Greedy.fill(selection, grouping);
    return selection;
  }

  private static Selection inOrderOfArrival(LayerProblem problem) {
    Selection selection = new Selection(problem);
    Greedy.fillInOrderOfArrival(selection);
    return selection;
  }

  private static Selection best(LayerProblem problem) {
    boolean few = problem.size() <= FEW;
    List<Selection> starts = new ArrayList<>();
    starts.add(greedy(problem, Grouping.CHEAPER));
    if (few) {
      starts.add(inOrderOfArrival(problem));
      starts.add(FirstCome.choose(problem));
      starts.add(greedy(problem, Grouping.COVERS));
      starts.add(greedy(problem, Grouping.CLOSURE));
      starts.forEach(start -> Exchange.improve(start, 0, 1000, LOOKS));
    }
    Selection best = starts.stream().max(Comparator.comparingDouble(Selection::weight)).get();
    if (!few) {
      Exchange.improve(best, 0, 1000, LOOKS);
    }
    return best;
  }
}
