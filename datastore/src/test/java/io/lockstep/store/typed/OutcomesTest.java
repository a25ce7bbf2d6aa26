package io.lockstep.store.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.typed.Failure.Cause;
import io.lockstep.store.typed.WriteResult.Conflict;
import io.lockstep.store.typed.WriteResult.Done;
import io.lockstep.store.typed.WriteResult.NotDone;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OutcomesTest {
  private static final Failure FAILURE = new Failure(Cause.NOT_SENT, "table \"t\": later");
  private static final Conflict<Long> CONFLICT =
      new Conflict<>(
          "t", Bytes.utf8("k"), Optional.of(new Entry(Bytes.utf8("k"), Bytes.utf8("v"), 9)));
  private static final WriteOutcome<Long> UNKNOWN = new WriteOutcome.Unknown<>("no quorum");

  private static <T> WriteOutcome<T> known(WriteResult<T> result) {
    return new WriteOutcome.Known<>(result);
  }

  @Test
  void eachCaseReachesItsFunctionOnly() {
    Function<WriteOutcome<Long>, String> name =
        outcome ->
            outcome.<String>fold(
                result ->
                    result.<String>fold(
                        version -> "done " + version,
                        conflict -> "conflict " + conflict.present().orElseThrow().version(),
                        failure -> "failed " + failure.cause()),
                why -> "unknown " + why);
    assertThat(name.apply(known(new Done<>(4L)))).isEqualTo("done 4");
    assertThat(name.apply(known(CONFLICT))).isEqualTo("conflict 9");
    assertThat(name.apply(known(new NotDone<>(FAILURE)))).isEqualTo("failed NOT_SENT");
    assertThat(name.apply(UNKNOWN)).isEqualTo("unknown no quorum");
  }

  @Test
  void anUnknownOutcomeIsNeitherDoneNorFailedUnlessTheCallerSaysSo() {
    assertThatThrownBy(UNKNOWN::throwWhenUnknown)
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessage("no quorum");
    assertThat(UNKNOWN.whenUnknown(why -> new NotDone<>(FAILURE)).isDone()).isFalse();
    assertThat(UNKNOWN.whenUnknown(why -> new Done<>(1L)).isDone()).isTrue();
    assertThat(UNKNOWN.map(version -> version + 1)).isEqualTo(UNKNOWN);
  }

  @Test
  void eachCaseReachesItsConsumerOnly() {
    Function<WriteOutcome<Long>, List<String>> heard =
        outcome -> {
          List<String> said = new ArrayList<>();
          outcome.handle(
              result -> result.ifDone(version -> said.add("done " + version), said::add),
              why -> said.add("unknown " + why));
          return said;
        };
    assertThat(heard.apply(known(new Done<>(4L)))).containsExactly("done 4");
    assertThat(heard.apply(known(CONFLICT)))
        .singleElement()
        .asString()
        .contains("the entry has version 9");
    assertThat(heard.apply(known(new NotDone<>(FAILURE)))).containsExactly(FAILURE.message());
    assertThat(heard.apply(UNKNOWN)).containsExactly("unknown no quorum");
  }

  /** Whoever adds a shortcut past the unknown outcome breaks the type's promise. */
  @Test
  void everyWayToAResultNamesTheUnknownOutcome() {
    assertThat(Stream.of(WriteOutcome.class.getDeclaredMethods()).map(Method::getName))
        .filteredOn(name -> !name.startsWith("lambda$"))
        .containsExactlyInAnyOrder("fold", "handle", "whenUnknown", "throwWhenUnknown", "map");
  }

  @Test
  void aConflictAndAFailureAreThrownAsWhatTheyAre() {
    assertThat(known(new Done<>(4L)).throwWhenUnknown().orThrow()).isEqualTo(4);
    assertThatThrownBy(() -> known(CONFLICT).throwWhenUnknown().orThrow())
        .isInstanceOf(ConflictException.class)
        .hasMessageContainingAll("table \"t\"", "0x6b", "version 9", "read it again");
    assertThatThrownBy(() -> new Conflict<Long>("t", Bytes.utf8("k"), Optional.empty()).orThrow())
        .hasMessageContaining("there is no entry");
    assertThatThrownBy(() -> known(new NotDone<>(FAILURE)).throwWhenUnknown().orThrow())
        .isInstanceOfSatisfying(
            FailedException.class, thrown -> assertThat(thrown.failure()).isEqualTo(FAILURE));
  }

  @Test
  void mappingChangesTheAnswerOnly() {
    assertThat(new Done<>(4L).map(version -> "v" + version)).isEqualTo(new Done<>("v4"));
    assertThat(CONFLICT.map(String::valueOf))
        .isEqualTo(new Conflict<String>("t", CONFLICT.key(), CONFLICT.present()));
    assertThat(new NotDone<Long>(FAILURE).map(String::valueOf)).isEqualTo(new NotDone<>(FAILURE));
    assertThat(new ReadResult.Read<>(2).map(two -> two + 1).orThrow()).isEqualTo(3);
    assertThatThrownBy(() -> new ReadResult.NotRead<Integer>(FAILURE).map(two -> two + 1).orThrow())
        .isInstanceOf(FailedException.class)
        .hasMessage("NOT_SENT: table \"t\": later");
  }
}
