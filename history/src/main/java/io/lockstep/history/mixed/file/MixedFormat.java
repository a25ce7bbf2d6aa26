package io.lockstep.history.mixed.file;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.lockstep.history.check.Operation.Outcome;
import java.io.IOException;
import java.util.Locale;

/** How a step is written: its components by name, outcomes in small letters. */
final class MixedFormat {
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .addModule(new SimpleModule().addSerializer(Outcome.class, new SmallLetters()))
          .build();

  private MixedFormat() {}

  private static final class SmallLetters extends StdScalarSerializer<Outcome> {
    private static final long serialVersionUID = 1L;

    SmallLetters() {
      super(Outcome.class);
    }

    @Override
    public void serialize(Outcome outcome, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      to.writeString(outcome.name().toLowerCase(Locale.ROOT));
    }
  }
}
