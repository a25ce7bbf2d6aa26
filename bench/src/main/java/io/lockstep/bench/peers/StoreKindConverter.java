package io.lockstep.bench.peers;

import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Stores by their names in options. */
final class StoreKindConverter implements ITypeConverter<StoreKind> {
  @Override
  public StoreKind convert(String name) {
    return Arrays.stream(StoreKind.values())
        .filter(kind -> kind.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'"
                        + name
                        + "' is none of "
                        + Arrays.stream(StoreKind.values())
                            .map(StoreKind::label)
                            .collect(Collectors.joining(", "))));
  }
}
