package io.lockstep.placer;

/** Finds the steps of each kind of change, in a draft. Immutable. */
final class ChangeSteps implements Change.Visitor<Draft, PlacementRefusedException> {
  private final PlacerOptions options;

  ChangeSteps(PlacerOptions options) {
    this.options = options;
  }

  @Override
  public void fill(Change.Fill fill, Draft draft) throws PlacementRefusedException {
    new FillPlanner(draft, options).fill(fill.rules());
  }

  @Override
  public void add(Change.Add add, Draft draft) throws PlacementRefusedException {
    new Changes(draft, options).add(add.wanted());
  }

  @Override
  public void remove(Change.Remove remove, Draft draft) throws PlacementRefusedException {
    new Changes(draft, options).remove(remove.key());
  }

  @Override
  public void treat(Change.Treat treat, Draft draft) throws PlacementRefusedException {
    new Changes(draft, options).treat(treat.key(), treat.treatment());
  }

  @Override
  public void reprioritize(Change.Reprioritize other, Draft draft)
      throws PlacementRefusedException {
    new Changes(draft, options).reprioritize(other.key(), other.priority());
  }

  @Override
  public void improve(Change.Improve improve, Draft draft) {
    new ImprovementPlanner(draft, options).improve();
  }

  @Override
  public void relieve(Change.Relieve relieve, Draft draft) {
    new ImprovementPlanner(draft, options).relieve();
  }

  @Override
  public void tidy(Change.Tidy tidy, Draft draft) {
    new ImprovementPlanner(draft, options).tidy();
  }

  @Override
  public void resize(Change.Resize resize, Draft draft) throws PlacementRefusedException {
    new ImprovementPlanner(draft, options).resize(resize.layer(), resize.units());
  }

  @Override
  public void prepare(Change.Prepare prepare, Draft draft) throws PlacementRefusedException {
    new Changes(draft, options).prepare(prepare.leaving(), prepare.most());
  }
}
