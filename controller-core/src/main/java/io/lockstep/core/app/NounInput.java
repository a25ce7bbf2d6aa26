package io.lockstep.core.app;

import java.util.List;
import java.util.Map;

/**
 * What a noun answers from: values only, so that the same input has the same answer.
 *
 * @param arguments by name, checked; without those that were left out
 * @param configuration of the application at the node that was asked
 * @param network as that node knows it now
 * @param tables what was read for the noun, one for each range of {@link Noun#reads}, in its order
 * @param wallMillis when the node was asked, in milliseconds since 1970 by its clock
 */
public record NounInput(
    Map<String, String> arguments,
    ApplicationConfiguration configuration,
    NetworkView network,
    List<TableSnapshot> tables,
    long wallMillis) {

  public NounInput {
    arguments = Map.copyOf(arguments);
    tables = List.copyOf(tables);
  }
}
