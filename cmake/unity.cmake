# Files that are compiled together: each reads its headers anew, which is most of what a compiler does.

# Puts files of CUDA code, which UNITY_BUILD does not take, together as `number` generated ones.
function(tailback_join_cuda files name number)
  set(count 0)
  set(joined "")
  foreach(file ${${files}})
    math(EXPR place "${count} % ${number}")
    math(EXPR count "${count} + 1")
    string(APPEND text_${place} "#include \"${file}\"\n")
    list(APPEND joined ${PROJECT_BINARY_DIR}/generated/${name}_${place}.cu)
    file(CONFIGURE OUTPUT generated/${name}_${place}.cu CONTENT "${text_${place}}" @ONLY)
  endforeach()
  list(REMOVE_DUPLICATES joined)
  set(${files} ${joined} PARENT_SCOPE)
endfunction()
