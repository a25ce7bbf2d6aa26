package io.lockstep.bench.figures;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/** One row of {@code figures.json}. Names of components are the names of its fields. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FigureRow.Point.class, name = "point"),
  @JsonSubTypes.Type(value = FigureRow.OperationSize.class, name = "operation")
})
public sealed interface FigureRow {

  /** The figure or table as the paper calls it, such as {@code Fig. 8a} or {@code Table II}. */
  String figure();

  /** The event as the paper calls it, such as {@code ls-ucast}. */
  String workload();

  /** The column of the paper's tables, such as {@code init}, or {@code own}. */
  String variant();

  /**
   * A measured value.
   *
   * @param mode {@code messages} or {@code live}
   * @param durable whether the replicas kept their state on disk
   * @param bestOrWorst {@code best} or {@code worst} of table II, else null
   * @param flows at a time
   * @param metric {@code flowsPerSecond}, {@code p50Millis} or {@code p90Millis}
   * @param value the mean over the forks, in {@code unit}
   * @param low lower end of the 95 % confidence interval over the forks; null with one fork
   * @param high its upper end; null with one fork
   * @param unit {@code flows/s} or {@code ms}
   * @param paper what the paper prints; null where it prints nothing
   * @param ratio {@code value} over {@code paper}; null without {@code paper}
   * @param reason why ours differs from the paper's; empty where there is nothing to explain
   */
  @JsonPropertyOrder({
    "kind",
    "figure",
    "workload",
    "variant",
    "mode",
    "durable",
    "case",
    "flows",
    "metric",
    "value",
    "low",
    "high",
    "unit",
    "paper",
    "ratio",
    "reason"
  })
  record Point(
      String figure,
      String workload,
      String variant,
      String mode,
      boolean durable,
      @JsonProperty("case") @Nullable String bestOrWorst,
      int flows,
      String metric,
      double value,
      @Nullable Double low,
      @Nullable Double high,
      String unit,
      @Nullable Double paper,
      @Nullable Double ratio,
      String reason)
      implements FigureRow {}

  /**
   * The sizes of one operation of an event. Bytes.
   *
   * @param step its place in the event, from 1
   * @param operation what it does, in a few words
   * @param type {@code R} or {@code W}
   * @param requestBytes of the encoded operation; null where no trace has it
   * @param replyBytes of the encoded reply; null where no trace has it
   * @param wireRequestBytes of the message that carries it alone from the client to one replica
   * @param wireReplyBytes of the message that carries the reply alone from one replica
   * @param paperRequestBytes as the paper prints it; null where it prints nothing
   * @param paperReplyBytes as the paper prints it; null where it prints nothing
   * @param reason why ours differs from the paper's
   */
  @JsonPropertyOrder({
    "kind",
    "figure",
    "workload",
    "variant",
    "step",
    "operation",
    "type",
    "requestBytes",
    "replyBytes",
    "wireRequestBytes",
    "wireReplyBytes",
    "paperRequestBytes",
    "paperReplyBytes",
    "reason"
  })
  record OperationSize(
      String figure,
      String workload,
      String variant,
      int step,
      String operation,
      String type,
      @Nullable Integer requestBytes,
      @Nullable Integer replyBytes,
      @Nullable Integer wireRequestBytes,
      @Nullable Integer wireReplyBytes,
      @Nullable Integer paperRequestBytes,
      @Nullable Integer paperReplyBytes,
      String reason)
      implements FigureRow {}
}
